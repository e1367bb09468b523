/** The credentials that the guards of a server want from any client, from the environment. */
export function credentials(): Record<string, string> {
  const { STANDIN_API_KEY: key, STANDIN_TOKEN: token } = process.env;
  return { ...(key && { "x-api-key": key }), ...(token && { authorization: `Bearer ${token}` }) };
}

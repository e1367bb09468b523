/** A program that may sign users in, or itself. */
export interface SignInClient {
  readonly id: string;
  readonly secret: string | undefined;
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
  /** The roles of its own tokens. */
  readonly roles: readonly string[];
}

export const GRANTS = ["authorization_code", "refresh_token", "client_credentials", "password"] as const;
export type Grant = (typeof GRANTS)[number];

/** The settings of the layer `sign-in`. */
export interface SignInOptions {
  /** The collection of the users. */
  readonly users: string;
  /** The field by which users are known, such as their email. */
  readonly name: string;
  /** The field of their passwords, which no response shows; undefined if they have none. */
  readonly password: string | undefined;
  /** The path of each claim in the user's record. */
  readonly claims: Readonly<Record<string, string>>;
  readonly audience: string;
  readonly clients: readonly SignInClient[];
  readonly accessSeconds: number;
  readonly refreshSeconds: number;
  readonly grants: readonly Grant[];
  readonly algorithm: "RS256" | "ES256";
  /** The text that tokens carry as `iss`; undefined for the first address of the server. */
  readonly issuer: string | undefined;
  /** Whether `login_hint` signs users in who have a password, too. */
  readonly trustHints: boolean;
}

/** Parts of odd requests. Everything here is allowed in a well-formed head; bodies are another matter. */

/** Long, but so that several of them stay below what a head may have. */
const LONG = "x".repeat(600);

export const SEGMENTS = [
  ...words("products companies profile PRODUCTS db __rules stats health-check api v1 health nothing $schema"),
  ...words("1 2 99 -1 1.5 1e3 NaN null undefined true [object%20Object] 00 %31"),
  ...words("__proto__ constructor prototype toString hasOwnProperty length"),
  ...words(". .. %2e%2e ..%2f %5c.. %00 %0d%0aSet-Cookie:x %20 + ; * $1 :id ~ ' page.html %2eenv"),
  ...words("% %% %z %zz %E0%A4%A %ff%fe %C3%A4 %F0%9F%98%80 %ED%A0%80 %2525"),
  ...["", LONG, "9".repeat(40)],
];

export const PARAMETERS = [
  ...words("_page _limit _start _end _sort _order _embed _expand q callback _ _dependent"),
  ...words("id name price name_like price_gte price_lte id_ne locations.city locations.city_like _like _gte"),
  ...words("__proto__ __proto__.x constructor.name a[b][c] a[] a[0] a.b.c.d.e %zz"),
  ...["", LONG],
];

export const VALUES = [
  ...words("1 0 -1 2.5 1e9 -0 0x1 abc null NaN desc price,name,id"),
  ...words("% %zz %E0%A4%A %00 %0a %F0%9F%98%80 a%26b <script> ' ../.."),
  ...words("products company products,companies , ,,, __proto__ constructor"),
  ...words("( [ * (a a{1000} (?=a) (a)%5C1 ^(a%2B)%2B$ (a|a)*b [^ %5C (?<n>a)%5Ck<n> [a-z]{1,99}"),
  ...["", LONG, "9".repeat(60), `-${"9".repeat(400)}`],
];

export const HEADER_NAMES = [
  ...words("Accept Accept-Encoding Accept-Language Authorization Cookie Origin Referer Range Prefer TE Via DNT"),
  ...words("If-Match If-None-Match If-Modified-Since If-Range Cache-Control Forwarded Upgrade X-API-KEY"),
  ...words("X-Forwarded-Proto X-Forwarded-Host X-Forwarded-For X-HTTP-Method-Override Content-Language"),
  ...words("Access-Control-Request-Headers Access-Control-Request-Method __proto__ constructor !#$%&'*+-.^_`|~"),
];

export const HEADER_VALUES = [
  ...words("* */* text/html gzip gzip;q=x identity;q=0 br;q=0.0001,*;q=0 bytes=0- bytes=9-1 bytes=x"),
  ...words('" "" W/"x" "a","b" null undefined handling=strict handling= no-cache javascript https'),
  ...words("evil.example a,b,c ,,, ;;; = websocket {} DELETE GET \xe4\xf6\xfc \xff\xfe"),
  ...["", "\t", "x".repeat(1000)],
];

export const HOSTS = [
  ...words("localhost evil.example [::1] [:: x:99999 user@host \xe4 <script>"),
  ...["", "a b", "x".repeat(300)],
];

export const METHODS = words("GET GET GET HEAD OPTIONS TRACE PROPFIND LINK PURGE M-SEARCH");

/** Addresses that a write could mean. */
export const WRITE_TARGETS = words(
  "/products /products/1 /companies /companies/2 /companies/1/products /profile /api/v1/products /nothing /db / /__rules " +
    "/products/%zz /api/products/search/a%26b",
);

export const SPECIAL_TARGETS = words("* http:// http://x https://u:p@x:1/products ftp://x/.. //");

/** Bodies that can be read but are no record; a DELETE would not mind them, and a singleton has no id. */
export const WRONG_BODIES = [
  ...words('5 null true "text" [5] [null] [[]] [[[]]] ["a"] -0 1e3'),
  ...words('{"id":{}} {"id":[]} {"id":true} {"id":9007199254740993} {"id":1e300} {"id":"\\ud800"} {"id":-1e20}'),
];

export const BROKEN_VALUES = words("tru 01 1. +1 NaN 'x' \"\\x\" [1,] {,} --1");

function words(text: string): string[] {
  return text.split(" ");
}

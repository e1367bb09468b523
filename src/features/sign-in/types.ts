import type { Service } from "../../http/contract.ts";
import type { TokenFault } from "./faulty-token.ts";

/** Options of `api.tokenFor`. */
export interface TokenOptions {
  /** Seconds; "accessSeconds" of the layer unless given. */
  readonly expiresIn?: number;
  /** Makes the token wrong on purpose. */
  readonly fault?: TokenFault;
  /** The client that the token names; the first one unless given. */
  readonly client?: string;
  readonly scope?: string;
}

/** Makes tokens for programs. @internal */
export interface SignInOffer {
  /** Of the shared data or, with the name of one, of a sandbox. */
  tokenFor(
    service: Service,
    name: string,
    options: TokenOptions & { readonly sandbox?: string | undefined },
  ): Promise<string>;
}

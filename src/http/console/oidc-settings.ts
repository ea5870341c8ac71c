/** The identity provider whose people may enter the console, and as what. */
export type OidcSettings = {
  issuer: string;
  clientId: string;
  clientSecret: string | null;
  /** What the way in is called. */
  label: string;
  scopes: string;
  /** The claim whose values decide. */
  claim: string;
  operators: readonly string[];
  viewers: readonly string[];
  /** Values of the claim, each with the account whose view it gives. */
  accounts: Readonly<Record<string, string>>;
};

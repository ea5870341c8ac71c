export const signIn = {
  "signIn.title": "Sign in",
  "signIn.key": "Key",
  "signIn.go": "Sign in",
  "signIn.or": "or",
  "signIn.unknown": "This key is not known here.",
  "signIn.hint": "An admin key opens the operator's view, a client key the view of its account. The key itself is not kept in the browser.",
} as const;

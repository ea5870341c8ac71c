export const signIn = {
  "signIn.title": "Sign in",
  "signIn.key": "Key",
  "signIn.go": "Sign in",
  "signIn.or": "or",
  "signIn.ended": "Your session has ended. Please sign in again.",
  "signIn.unknown": "This key is not known here.",
  "signIn.problem.expired": "That took too long. Please try again.",
  "signIn.problem.refused": "The identity provider did not confirm who you are. Please try again.",
  "signIn.problem.not_allowed": "You are known, but not let in here: ask an operator to add one of your groups.",
  "signIn.problem.not_configured": "No identity provider is configured here.",
  "signIn.problem.unreachable": "The identity provider does not answer. Please try again later.",
  "signIn.hint": "An admin key opens the operator's view, a client key the view of its account. The key itself is not kept in the browser.",
} as const;

export const audit = {
  "audit.title": "Audit log",
  "audit.hint": "Every act of an operator, newest first. Nothing can be changed or deleted here.",
  "audit.none": "Nothing was done yet",
  "audit.none.hint": "Accounts, keys, credits, switches: every admin act is written down here.",
  "audit.actor": "Who",
  "audit.act": "Act",
  "audit.subject": "On",
  "audit.detail": "Detail",
  "audit.detail.of": "Detail of {act}",
} as const;

export const providers = {
  "providers.title": "Providers",
} as const;

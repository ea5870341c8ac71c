import type { Target } from "../target.ts";

export const direct: Target = {
  name: "direct",
  title: "direct",
  about: "the client asks the upstream itself",
  start: (port) => Promise.resolve({ port, pid: null, headers: {}, trouble: () => null, stop: () => Promise.resolve() }),
};

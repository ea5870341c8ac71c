/** Every form of the playground by its address. */
export const playgroundPaths = [
  "/playground/music/inspiration",
  "/playground/music/custom",
  "/playground/music/continuation",
  "/playground/video/video",
  "/playground/images/generate",
  "/playground/images/grid",
  "/playground/images/edit",
  "/playground/images/variation",
  "/playground/lyrics/lyrics",
  "/playground/speech/speech",
  "/playground/transcription/transcription",
  "/playground/chat/chat",
  "/playground/completion/completion",
  "/playground/embeddings/embeddings",
] as const;

/** Every other page that stands in the navigation. */
export const sectionPaths = [
  "/gallery",
  "/tasks",
  "/usage",
  "/money",
  "/accounts",
  "/providers",
  "/models",
  "/webhooks",
  "/audit",
  "/system",
] as const;

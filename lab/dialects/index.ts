import type { Dialect } from "../dialect.ts";
import { aceStep } from "./ace-step.ts";
import { ark } from "./ark.ts";
import { automatic1111 } from "./automatic1111.ts";
import { bfl } from "./bfl.ts";
import { comfyui } from "./comfyui.ts";
import { dashscopeWan } from "./dashscope-wan.ts";
import { elevenLabsMusic } from "./elevenlabs-music.ts";
import { fal } from "./fal.ts";
import { gcuiSuno } from "./gcui-suno.ts";
import { geminiMedia } from "./gemini-media.ts";
import { ideogram } from "./ideogram.ts";
import { kling } from "./kling.ts";
import { klingLegacy } from "./kling-legacy.ts";
import { luma } from "./luma.ts";
import { lumaAgents } from "./luma-agents.ts";
import { lumaRelay } from "./luma-relay.ts";
import { midjourneyProxy } from "./midjourney-proxy.ts";
import { minimaxMusic } from "./minimax-music.ts";
import { minimaxV1 } from "./minimax-v1.ts";
import { minimaxV2 } from "./minimax-v2.ts";
import { openaiVideos } from "./openai-videos.ts";
import { openaiVideosRelay } from "./openai-videos-relay.ts";
import { openrouterVideos } from "./openrouter-videos.ts";
import { piapi } from "./piapi.ts";
import { replicate } from "./replicate.ts";
import { runway } from "./runway.ts";
import { stability } from "./stability.ts";
import { stableAudio } from "./stable-audio.ts";
import { sunoRelay } from "./suno-relay.ts";
import { kie, sunoApi } from "./sunoapi.ts";
import { udioRelay } from "./udio-relay.ts";
import { vidu } from "./vidu.ts";
import { xaiVideo } from "./xai-video.ts";

/** Every wire that the lab speaks. */
export const dialects: readonly Dialect[] = [
  aceStep,
  ark,
  automatic1111,
  bfl,
  comfyui,
  dashscopeWan,
  elevenLabsMusic,
  fal,
  gcuiSuno,
  geminiMedia,
  ideogram,
  kie,
  kling,
  klingLegacy,
  luma,
  lumaAgents,
  lumaRelay,
  midjourneyProxy,
  minimaxMusic,
  minimaxV1,
  minimaxV2,
  openaiVideos,
  openaiVideosRelay,
  openrouterVideos,
  piapi,
  replicate,
  runway,
  stability,
  stableAudio,
  sunoRelay,
  sunoApi,
  udioRelay,
  vidu,
  xaiVideo,
];

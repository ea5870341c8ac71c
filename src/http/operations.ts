import { accountOperations } from "./admin/accounts.ts";
import { adminTaskOperations } from "./admin/tasks.ts";
import { attentionOperations } from "./admin/attention.ts";
import { configOperations } from "./admin/configuration.ts";
import { deliveryOperations } from "./admin/deliveries.ts";
import { keyOperations } from "./admin/keys.ts";
import { nodeOperations } from "./admin/nodes.ts";
import { providerOperations } from "./admin/providers.ts";
import { systemOperations } from "./admin/system.ts";
import { usageOperations } from "./admin/usage.ts";
import { alertOperations } from "./alerts.ts";
import { assetOperations } from "./assets.ts";
import { audioOperations } from "./calls/audio.ts";
import { balanceOperations } from "./balance.ts";
import { callbackOperations } from "./callbacks.ts";
import { chatOperations } from "./calls/chat.ts";
import { completionOperations } from "./calls/completions.ts";
import { embeddingOperations } from "./calls/embeddings.ts";
import { oidcOperations } from "./console/oidc.ts";
import { sessionOperations } from "./console/session.ts";
import { fileOperations } from "./files.ts";
import { healthOperations } from "./health.ts";
import { imageAOperations } from "./image-a/image-a.ts";
import { imageBOperations } from "./image-b/image-b.ts";
import { imageOperations } from "./calls/images.ts";
import { ledgerOperations } from "./ledger.ts";
import { mcpOperations } from "./mcp/mcp.ts";
import { modelOperations } from "./models.ts";
import { musicAOperations } from "./music/music-a.ts";
import { musicBOperations } from "./music/music-b.ts";
import { openAiVideoOperations } from "./video/openai-videos.ts";
import type { Operation } from "./operation.ts";
import { quoteOperations } from "./quote.ts";
import { textDialectOperations } from "./calls/text-dialects.ts";
import { taskOperations } from "./tasks.ts";
import { usageSeriesOperations } from "./usage.ts";
import { videoBOperations } from "./video/video-b.ts";
import { videoGenerationOperations } from "./video/video-generations.ts";
import { videoOperations } from "./video/video.ts";
import { webhookOperations } from "./webhooks.ts";

/** Everything the service can do, in the order of its description. */
export const operations: readonly Operation[] = [
  ...videoOperations,
  ...videoBOperations,
  ...openAiVideoOperations,
  ...videoGenerationOperations,
  ...musicAOperations,
  ...musicBOperations,
  ...completionOperations,
  ...chatOperations,
  ...embeddingOperations,
  ...imageOperations,
  ...imageBOperations,
  ...imageAOperations,
  ...audioOperations,
  ...textDialectOperations,
  ...modelOperations,
  ...balanceOperations,
  ...usageSeriesOperations,
  ...ledgerOperations,
  ...alertOperations,
  ...taskOperations,
  ...fileOperations,
  ...assetOperations,
  ...quoteOperations,
  ...webhookOperations,
  ...mcpOperations,
  ...callbackOperations,
  ...healthOperations,
  ...sessionOperations,
  ...oidcOperations,
  ...accountOperations,
  ...keyOperations,
  ...providerOperations,
  ...nodeOperations,
  ...adminTaskOperations,
  ...attentionOperations,
  ...deliveryOperations,
  ...configOperations,
  ...systemOperations,
  ...usageOperations,
];

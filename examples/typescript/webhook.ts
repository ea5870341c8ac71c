// Whoever gives an address with a create is told at the end, and checks that it was Genway who told.
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { createClient, verifyWebhook, type WebhookEvent } from "genway/client";

const { GENWAY_URL: baseUrl = "http://127.0.0.1:8787", GENWAY_KEY: key = null } = process.env;
const genway = createClient({ baseUrl, key });

// The secret of addresses that are given with a create; each call makes a new one.
const { secret } = await genway.unwrap(genway.POST("/v1/webhooks/secret"));

const told = Promise.withResolvers<WebhookEvent>();
const receiver = createServer(async (request, response) => {
  try {
    told.resolve(verifyWebhook(await text(request), request.headers, secret));
    response.writeHead(204).end();
  } catch (error) {
    console.error(error);
    response.writeHead(400).end();
  }
});
await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
const address = receiver.address();
const port = typeof address === "object" ? address?.port : 0;

// The service must be allowed to call this machine: `outbound: { allow: [127.0.0.0/8] }` in genway.yaml.
const task = await genway.generate.lyrics({ prompt: "the first snow", webhook_url: `http://127.0.0.1:${port}/hook` });
console.log(`Task ${task.id} is accepted.`);
const { type, timestamp } = await told.promise;
console.log(`${type} at ${timestamp}`);
receiver.close();

import assert from "node:assert/strict";
import test from "node:test";
import { joinExpositions } from "./exposition.ts";

test("each metric is described once, with the samples of every process below it", () => {
  const figures = (worker: number) => `# HELP calls Calls
# TYPE calls counter
calls{model="a",worker="${worker}"} ${worker + 1}

# HELP wait Time to reply
# TYPE wait histogram
wait_bucket{le="1",worker="${worker}"} 2
wait_sum{worker="${worker}"} 0.5
wait_count{worker="${worker}"} 2
`;
  assert.equal(
    joinExpositions([figures(0), figures(1), "# HELP own Only here\n# TYPE own gauge\nown 7\n"]),
    `# HELP calls Calls
# TYPE calls counter
calls{model="a",worker="0"} 1
calls{model="a",worker="1"} 2

# HELP wait Time to reply
# TYPE wait histogram
wait_bucket{le="1",worker="0"} 2
wait_sum{worker="0"} 0.5
wait_count{worker="0"} 2
wait_bucket{le="1",worker="1"} 2
wait_sum{worker="1"} 0.5
wait_count{worker="1"} 2

# HELP own Only here
# TYPE own gauge
own 7
`,
  );
});

test("of nothing comes nothing", () => {
  assert.equal(joinExpositions([]), "");
});

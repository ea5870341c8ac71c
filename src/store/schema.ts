/** The tables. Columns are text and whole numbers only (milliseconds, nano-USD, 0/1); JSON is text. */
export type Database = {
  account: {
    id: string;
    name: string;
    available: number;
    held: number;
    spent: number;
    /** How much of what is available nodes have leased. */
    leased: number;
    frozen: number;
    starter: number;
    hook_secret: string | null;
    created_at: number;
    /** What it may spend in a calendar month before somebody is told, and at which per cents of that (JSON). */
    budget: number | null;
    budget_marks: string | null;
    /** When the month began in which it last paid or was paid, and what it has spent in it. */
    month: number;
    month_spent: number;
  };
  api_key: {
    id: string;
    account: string;
    name: string;
    hash: string;
    last_four: string;
    scopes: string | null;
    models: string | null;
    ips: string | null;
    expires_at: number | null;
    revoked_at: number | null;
    created_at: number;
    requests_per_minute: number | null;
    tokens_per_minute: number | null;
    concurrent_calls: number | null;
    concurrent_tasks: number | null;
    spend_cap: number | null;
    /** What it has spent, and what its running tasks hold. */
    spent: number;
    /** Its tasks under way. */
    running: number;
  };
  task: {
    id: string;
    account: string;
    api_key: string | null;
    kind: string;
    dialect: string;
    model: string;
    status: string;
    progress: number;
    input: string;
    price: string;
    hold: number;
    cost: number | null;
    fail_code: string | null;
    fail_reason: string | null;
    result: string | null;
    assets: string;
    song_ids: string;
    hook: string | null;
    created_at: number;
    started_at: number | null;
    finished_at: number | null;
    deadline_at: number;
    version: number;
    /** The task whose result this one goes on from. */
    parent: string | null;
  };
  song: { id: string; task: string; account: string };
  attempt: {
    task: string;
    n: number;
    lane: string;
    provider: string;
    credential: string;
    model: string;
    state: string;
    upstream_id: string | null;
    keep: string;
    created_at: number;
    accepted_at: number | null;
    ended_at: number | null;
    cause: string | null;
    failure: string | null;
  };
  step: {
    id: string;
    /** start: waits for a slot. run: being sent, or made here. poll: waits upstream. collect: being stored. chore: everything else. */
    phase: string;
    lane: string;
    account: string;
    /** The kind of work, or the name of the chore. */
    work: string;
    credential: string;
    rank: number;
    run_at: number;
    leased: number;
    fence: number;
    attempt: number;
    since: number;
    deadline_at: number;
  };
  share: { lane: string; account: string; rank: number };
  /** Slots in use, and how many were taken since a minute began. */
  gate: { lane: string; credential: string; used: number; minute: number; started: number };
  /** What each node counted under a name in its latest minute, and what it runs there as long as it says so. */
  tally: { name: string; node: string; minute: number; used: number; running: number; until: number };
  /** Processes that share the database. */
  node: { id: string; name: string; role: string; version: string; started_at: number; seen_at: number };
  /** What a node may spend of a balance without asking; it is still part of what is available. */
  lease: { account: string; node: string; epoch: number; amount: number; until: number };
  /** What every node is to know. */
  fact: { name: string; value: string; at: number };
  transfer: { id: string; kind: string; account: string; note: string; at: number };
  entry: { transfer: string; line: number; account: string; bucket: string; amount: number };
  idempotency: { account: string; route: string; key: string; fingerprint: string; task: string; created_at: number };
  /** Calls with an Idempotency-Key. */
  reply: {
    account: string;
    route: string;
    key: string;
    fingerprint: string;
    /** open: being made. kept: its reply can be given again. unkept: it was answered, but only anew. */
    state: string;
    /** Who makes it, under which name, and until when at the latest. */
    node: string;
    fence: string;
    until: number;
    mime: string;
    provider: string;
    body: string;
    expires_at: number;
  };
  asset: {
    id: string;
    account: string;
    task: string | null;
    kind: string;
    mime: string;
    bytes: number;
    sha256: string;
    storage_key: string;
    name: string | null;
    purpose: string | null;
    created_at: number;
    expires_at: number;
  };
  modal: { id: string; account: string; body: string; created_at: number };
  endpoint: { id: string; account: string; url: string; secret: string; events: string; disabled_at: number | null; created_at: number };
  delivery: {
    id: string;
    account: string;
    endpoint: string | null;
    task: string | null;
    url: string;
    event: string;
    style: string;
    body: string | null;
    state: string;
    attempts: number;
    last_status: number | null;
    last_error: string | null;
    created_at: number;
    delivered_at: number | null;
  };
  /** Calls, counted by the minute. */
  usage: {
    minute: number;
    account: string;
    api_key: string;
    operation: string;
    model: string;
    provider: string;
    calls: number;
    /** How many of them were measured by us because the upstream did not tell. */
    estimated: number;
    input_tokens: number;
    output_tokens: number;
    cost: number;
    /** What the balance covered of the cost. */
    paid: number;
    ms: number;
    /** The transfer that posted it to the ledger; "" before that. */
    transfer: string;
  };
  /** What was asked in a minute (an hour, when it is old) with its outcome, how fast it was and how long it waited, each as a step of a scale. */
  pulse: {
    minute: number;
    account: string;
    api_key: string;
    operation: string;
    model: string;
    provider: string;
    outcome: string;
    speed: number;
    /** -1: does not wait. */
    wait: number;
    requests: number;
    input_tokens: number;
    output_tokens: number;
    cost: number;
  };
  /** What somebody had to be told; `name` keeps it from being told twice. */
  alert: { id: string; name: string; account: string; kind: string; detail: string; at: number };
  audit: { id: string; actor: string; act: string; subject: string; detail: string; at: number };
};

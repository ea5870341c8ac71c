export const harmCategories = [
  "harassment",
  "harassment/threatening",
  "hate",
  "hate/threatening",
  "illicit",
  "illicit/violent",
  "self-harm",
  "self-harm/intent",
  "self-harm/instructions",
  "sexual",
  "sexual/minors",
  "violence",
  "violence/graphic",
] as const;
export type HarmCategory = (typeof harmCategories)[number];

/** How much one phrase speaks for a category, 0 to 1. */
export type Weights = { readonly [C in HarmCategory]?: number };

/** Phrases that speak for the same: a bar stands between words for one place, and a place that begins with a bar may be left out. */
export type HarmPhrases = { weights: Weights; phrases: readonly string[] };

const people = "immigrants|migrants|refugees|foreigners|muslims|jews|christians|hindus|women|gays|lesbians|homosexuals";
const somebody = "him|her|them|people|someone|somebody|everyone|everybody";
const attack = "kill|murder|stab|shoot|strangle|behead|torture|poison";
const weapon = "bomb|bombs|explosive|explosives|grenade|grenades|silencer";
const drug = "meth|methamphetamine|heroin|cocaine|fentanyl";
const child = "child|children|minor|minors";
const insult = "worthless|pathetic|disgusting|stupid|ugly|idiot|idiots|moron|morons|loser|losers";

/** A small list, free of insults against groups: it knows the plainest ways to say a thing in English, and no others. */
export const harmWords: readonly HarmPhrases[] = [
  {
    weights: { "self-harm": 0.9, "self-harm/intent": 0.9 },
    phrases: [
      "kill|hurt|harm|hang|cut|starve|shoot myself",
      "killing|hurting|harming|hanging|cutting|starving myself",
      "end|ending|take|taking my |own life",
      "i |just want|wanted|wish to die",
      "i am|feel|felt suicidal",
      "im suicidal",
      "better off without me",
    ],
  },
  {
    weights: { "self-harm": 0.9, "self-harm/instructions": 0.9 },
    phrases: [
      "how to|do|can |i|you kill|hurt|harm|hang yourself|myself|oneself",
      "how to|do|can |i|you commit|attempt suicide",
      "way|ways|method|methods to commit suicide",
      "method|methods of suicide",
      "painless way|ways|method to die",
      "how many pills to |fatally overdose|die",
    ],
  },
  {
    weights: { "self-harm": 0.6 },
    phrases: ["commit|committed|attempted suicide", "self harm|harmed|harming|injury", "suicide note|pact"],
  },
  { weights: { "self-harm": 0.25 }, phrases: ["suicide|suicidal", "overdose|overdosed"] },
  {
    weights: { harassment: 0.8, "harassment/threatening": 0.9, violence: 0.8 },
    phrases: [
      `i|we will|am|are|want |going|gonna |to ${attack}|hurt|burn you`,
      `ill|im|well|were |going|gonna |to ${attack}|hurt|burn you`,
      "beat you up",
      "you will|deserve|should |to die|suffer|bleed",
      "you are going to die|suffer|bleed",
      "youre |going|gonna |to die|suffer|bleed",
      "i know where you live",
      "make you suffer|bleed",
    ],
  },
  { weights: { harassment: 0.9, "self-harm": 0.6 }, phrases: ["go|please|just|should |and kill|hang|hurt yourself"] },
  {
    weights: { harassment: 0.7 },
    phrases: [
      `you are |all|just |so|such |a|an ${insult}`,
      `youre |all|just |so|such |a|an ${insult}`,
      `you ${insult} ${insult}|fool|creature|person`,
      "nobody likes|loves|wants you",
      "everyone|everybody hates you",
      "i hate you",
    ],
  },
  { weights: { harassment: 0.25 }, phrases: ["shut up", insult] },
  {
    weights: { hate: 0.9 },
    phrases: [
      `hate|despise|loathe all|these|those ${people}`,
      `i|we |all hate|despise|loathe ${people}`,
      `${people} are |all|just|nothing |but vermin|animals|subhuman|parasites|inferior|filth|scum|rats`,
      "inferior|master race|races",
      "racial|white supremacy|superiority",
      "go back to your |own country",
    ],
  },
  {
    weights: { hate: 0.9, "hate/threatening": 0.9, violence: 0.7 },
    phrases: [
      `${attack}|exterminate|eradicate|burn|hang |all|every |the|these|those ${people}`,
      `${people} should|must|deserve |all |be|to die|burn|hang|killed|exterminated|eradicated|shot|hanged|burned`,
    ],
  },
  {
    weights: { illicit: 0.9, "illicit/violent": 0.9, violence: 0.4 },
    phrases: [
      `how to|do|can |i|you make|build|construct|assemble |a|an|some |pipe|nail|car|dirty|homemade|home ${weapon}`,
      "how to|do|can |i|you make|build|print a |ghost gun|rifle|pistol",
      "hire a hitman|killer",
      `how to|do|can |i|you |best ${attack} ${somebody}`,
    ],
  },
  {
    weights: { illicit: 0.8 },
    phrases: [
      `how to|do|can |i|you make|cook|synthesize|buy|smuggle|sell|get |some ${drug}`,
      `where to|do|can |i|you buy|get |some ${drug}`,
      "how to|do|can |i|you hack|break into",
      "how to|do|can |i|you hack a|an|someones",
      "how to|do|can |i|you rob|shoplift|forge|counterfeit|launder",
      "how to|do|can |i|you steal a|from|someones|credit|money",
      "launder|laundering |the|my money",
      "buy|get|make a fake|forged id|passport|licence|license",
      "stolen credit cards|card",
    ],
  },
  { weights: { illicit: 0.25 }, phrases: [drug, "shoplifting", "counterfeiting", "malware|ransomware", "smuggling", "untraceable"] },
  {
    weights: { sexual: 0.8 },
    phrases: [
      "porn|porno|pornographic|pornography",
      "explicit|graphic sex|sexual",
      "sex scene|scenes|tape|tapes|video|videos",
      "have|having|had sex with me|you|him|her|them|us",
      "nude|naked pictures|photos|pics|selfie|selfies",
      "erotic story|stories|scene|fiction|roleplay",
      "masturbate|masturbates|masturbated|masturbating",
    ],
  },
  { weights: { sexual: 0.25 }, phrases: ["erotic|erotica", "nude|naked", "orgasm", "horny|aroused", "seductive|seductively", "lingerie"] },
  {
    weights: { sexual: 0.9, "sexual/minors": 0.95 },
    phrases: [
      `${child} porn|pornography`,
      `sexual|nude|naked|erotic ${child}`,
      `sex|sexual |act|acts|content with|involving|of |a ${child}`,
    ],
  },
  {
    weights: { violence: 0.7 },
    phrases: [
      `i|we will|am|are|want|plan |going|gonna |to ${attack} ${somebody}`,
      `ill|im|well|were |going|gonna |to ${attack} ${somebody}`,
      "shoot|blow up a|the|my school|church|mosque|synagogue|office|building|train|plane",
      "burn|beat|stab|choke him|her|them to death",
      "stabbed|beaten|shot|burned|tortured|strangled to death",
      "slit|cut his|her|their|your throat|throats",
    ],
  },
  {
    weights: { violence: 0.6, "violence/graphic": 0.7 },
    phrases: [
      "dismember|dismembered|dismembering",
      "disembowel|disembowelled|disemboweled",
      "decapitate|decapitated|decapitating",
      "mutilated|mangled body|bodies|corpse|corpses",
      "severed head|heads|limb|limbs|hand|hands",
      "blood|guts|entrails everywhere",
      "pool|pools of blood",
    ],
  },
  {
    weights: { violence: 0.25 },
    phrases: ["murder|murdered", "massacre|massacred", "slaughter|slaughtered", "stabbed", "strangled", "tortured", "bloodbath"],
  },
  { weights: { "violence/graphic": 0.25 }, phrases: ["gore|gory", "mutilated", "entrails", "corpse|corpses", "blood|bloody"] },
];

/** Ends of lines in families that rhyme; every member ends a sentence on its own. */
export type RhymeFamily = readonly [string, string, string, string, ...string[]];

export const brightRhymes: readonly [RhymeFamily, ...RhymeFamily[]] = [
  [
    "and the morning fills with light",
    "and we carry on all night",
    "till the whole wide world feels right",
    "like a lantern burning bright",
    "like a kite that found its height",
  ],
  [
    "and it wakes another day",
    "and it sings along the way",
    "so I think that we should stay",
    "like a summer holiday",
    "and the clouds all move away",
  ],
  [
    "and it opens up the sky",
    "and I never wonder why",
    "like we taught the rain to fly",
    "and the river hurries by",
    "with our hands held up so high",
  ],
  [
    "and I know that I am free",
    "and it means the world to me",
    "like a song above the sea",
    "like the first leaf on the tree",
    "that is all we have to be",
  ],
  [
    "and I feel it in my heart",
    "and we make another start",
    "like a simple work of art",
    "so no road keeps us apart",
    "and I know it part by part",
  ],
  [
    "and it turns my grey to blue",
    "and it leads me back to you",
    "like the good things always do",
    "when the sun comes breaking through",
    "and the oldest dream is new",
  ],
  [
    "and the whole street sings along",
    "and it makes the quiet strong",
    "here is where we all belong",
    "and it can't be very wrong",
    "for the road was far too long",
  ],
  [
    "and I watch the colours shine",
    "and your hand is close to mine",
    "one more step along the line",
    "and I tell you I am fine",
    "like a well-remembered sign",
  ],
];

export const darkRhymes: readonly [RhymeFamily, ...RhymeFamily[]] = [
  [
    "and it washes down like rain",
    "and I hear the midnight train",
    "till I say your name again",
    "like a whisper in the pane",
    "and the silence tells it plain",
  ],
  [
    "and the winds begin to blow",
    "and there's nowhere left to go",
    "like a footprint in the snow",
    "in a voice I used to know",
    "and the fire is burning low",
  ],
  [
    "and I walk the road alone",
    "and it weighs on me like stone",
    "like a seed that's never sown",
    "on the far end of the phone",
    "with a sadness of its own",
  ],
  [
    "and the shadows gather round",
    "and I cannot hear a sound",
    "like a bell beneath the ground",
    "what I lost was never found",
    "and the leaves are coming down",
  ],
  [
    "and it leaves me in the dark",
    "and I look for any spark",
    "through the gateway of the park",
    "where the years have left their mark",
    "like a stranger's dog might bark",
  ],
  [
    "and the hours lose their name",
    "and there's nobody to blame",
    "like a moth around the flame",
    "and no morning looks the same",
    "since the day the winter came",
  ],
];

/** Beginnings of lines; {a} and {b} stand for what the song is about. */
export const openings = [
  "I keep on thinking of {a}",
  "There is {a} inside my pocket",
  "Tell me the story of {a}",
  "We went out looking for {a}",
  "Nobody warned me of {a}",
  "I found {a} beside the window",
  "Somewhere between {a} and {b}",
  "You said that {a} would be waiting",
  "I drew {a} upon the paper",
  "All that I know of {a}",
  "Under the weight of {a}",
  "The radio hums of {a}",
  "My mother once spoke of {a}",
  "Half of the town is {a}",
  "I heard {a} across the water",
  "Give me {a} and a reason",
  "I'd trade {b} for {a}",
  "The road runs past {a}",
  "I wrote {a} in a letter",
  "Here comes {a} once more",
] as const;

export const hooks = [
  "Oh, {a}, {a}",
  "So take me back to {a}",
  "This one is for {a}",
  "Hold on to {a}",
  "Everything is {a}",
  "We are made of {a}",
  "Call it {a}, call it {b}",
  "Sing it out for {a}",
] as const;

export const bridges = [
  "And if {a} should ever leave",
  "One day when {b} is gone",
  "Slow down, let {a} be near",
  "I never needed more than {a}",
  "Count the stars, count {b}",
  "Maybe {a} was always here",
] as const;

export const titles = [
  "{A}",
  "{A} and {B}",
  "The {A} Song",
  "Song of {A}",
  "Letters to {A}",
  "{A}, Again",
  "Where {A} Goes",
  "Beyond {A}",
  "A Little {A}",
  "{A} at Heart",
] as const;

/** What a prompt without words of its own may be about. */
export const spareTopics = [
  "morning",
  "the river",
  "summer rain",
  "the open road",
  "old friends",
  "the last train",
  "paper boats",
  "city lights",
  "home",
] as const;

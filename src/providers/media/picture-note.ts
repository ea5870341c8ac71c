/** What a page says of limits for pictures that no source of the upstream names. */
export const pictureNote = "What pictures it takes: the limits named above are kept to, and larger ones are made smaller.";

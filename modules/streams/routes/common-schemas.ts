/** 7 days. */
export const MAX_TTL_SECONDS = 604_800

import { Type } from 'larder/kernel'

export const JsonObject = (options: object = {}) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, ...options })

/** 7 days. */
export const MAX_TTL_SECONDS = 604_800

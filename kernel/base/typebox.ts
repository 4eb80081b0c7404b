import { Type as builder } from 'typebox'

/**
 * Builds JSON Schemas with static types. Only this file imports TypeBox's code: the build bundles it, because the
 * package's 373 files would add a quarter to the time that a command takes to start.
 */
export const Type = builder

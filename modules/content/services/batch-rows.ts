import type { Result } from '@larder-dev/larder/kernel'

/** The rows of one statement of a batch. */
export const rowsOf = <Row>(result: Result | undefined): Row[] => (result?.rows ?? []) as Row[]

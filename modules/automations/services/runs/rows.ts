/** Which values of a run are rows. Their origin says so, and not what they contain: other systems and people write JSON. */
import { type Action, isRecord } from '@larder-dev/larder/kernel'

/** Names the collection of a row in an offer, so that a row can be a value. */
export const COLLECTION = Symbol('collection')

/** The output of an action that returns rows, or of each item of a step. Others are returned as they are. */
export function withRows(action: Pick<Action, 'output'> | undefined, output: unknown): unknown {
  const properties: unknown = Reflect.get(action?.output ?? {}, 'properties')
  if (!isRecord(properties) || !('collection' in properties) || !('id' in properties)) return output
  return Array.isArray(output) ? output.map(asRow) : asRow(output)
}

const asRow = (value: unknown): unknown =>
  isRecord(value) && typeof value.collection === 'string' ? { ...value, [COLLECTION]: value.collection } : value

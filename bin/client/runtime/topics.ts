/** Topics of `/v1/realtime` for the product's own pages and console. Generated clients contain the parts instead. */
import type { ClientOptions } from './options.ts'
import { createRealtime } from './realtime.ts'
import type { Realtime } from './realtime-types.ts'
import { createTransport } from './transport.ts'

/** Topics by their names, without the types of a product. */
interface AnyTopics {
  readonly [name: string]: { readonly params: object; readonly message: object; readonly input: object }
}

export const connectTopics = (options: ClientOptions): Realtime<AnyTopics> => createRealtime(createTransport(options))

/** Processes that hold realtime peers. */
import { Time, Type, table } from '@larder-dev/larder/kernel'

export const nodeTable = table(
  'streams_nodes',
  Type.Object({
    nodeId: Type.String(),
    seenAt: Time,
    /** Whether it has been silent for too long. */
    suspected: Type.Boolean(),
  }),
  { what: 'process', key: 'nodeId', defaults: { suspected: false } },
)

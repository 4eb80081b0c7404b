/** Connections at the media edge that a token opened. */
import { Bytes, Nullable, Type, table } from '@larder-dev/larder/kernel'

export const connectionTable = table(
  'streams_edge_connections',
  Type.Object({
    /** The edge's id of the connection, or of a request that precedes it (RTSP). */
    id: Type.String(),
    streamId: Type.String(),
    /** Null for the join token. */
    tokenId: Nullable(Type.String()),
    /** SHA-256 of the token. */
    credential: Bytes,
    protocol: Type.String(),
    address: Nullable(Type.String()),
    /** Whether the connection has been counted as a use of its token. */
    counted: Type.Boolean(),
    /** Whether a second request of the same RTSP player has been admitted with this use. */
    paired: Type.Boolean(),
    /** Consecutive comparisons in which the edge did not list the connection. */
    missed: Type.Integer(),
  }),
  { what: 'connection', hidden: { tenantId: Type.String() }, defaults: { paired: false, missed: 0 } },
)

/** Messages of the realtime topics, as JSON. Pure. */

export type FrameType =
  | 'message.created'
  | 'message.updated'
  | 'message.deleted'
  | 'conversation.updated'
  | 'conversation.left'
  | 'read'
  | 'typing'

export interface FramePosition {
  readonly conversationId: string
  /** Number of the message, or of the newest message of the conversation. */
  readonly seq?: number
  readonly version?: number
}
/** A frame about a conversation. */
export const conversationFrame = (
  type: FrameType,
  { conversationId, seq, version }: FramePosition,
  data: object,
): string => JSON.stringify({ type, conversationId, seq, version, data })

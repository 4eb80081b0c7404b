/** Each reaches no further than the conversations that the caller takes part in. */
export const permissions = {
  'messaging.conversation.read': 'Read one’s conversations and mark them read',
  'messaging.conversation.create': 'Begin conversations',
  'messaging.conversation.update': 'Change subject, status and participants of one’s conversations',
  'messaging.message.create': 'Post messages',
  'messaging.message.update': 'Change one’s own messages',
  'messaging.message.delete': 'Delete one’s own messages',
} as const

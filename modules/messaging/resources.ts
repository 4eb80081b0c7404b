import type { Registrations } from 'larder/kernel'

export const resources: Registrations['resources'] = [
  {
    name: 'conversations',
    title: 'Conversations',
    singular: 'Conversation',
    label: 'subject',
    icon: 'messages-square',
    operations: {
      list: 'listConversations',
      get: 'getConversation',
      create: 'createConversation',
      update: 'updateConversation',
    },
    columns: ['subject', 'status', 'unread', 'lastActivityAt', 'snoozedUntil', 'createdAt'],
    filters: ['filter[status]'],
    fields: ['subject', 'participantIds', 'status', 'snoozedUntil'],
    relations: [
      { resource: 'messaging.messages', parameters: { id: 'id' } },
      { resource: 'messaging.participants', parameters: { id: 'id' } },
    ],
  },
  {
    name: 'messages',
    title: 'Messages',
    singular: 'Message',
    label: 'body',
    icon: 'message-square',
    within: 'messaging.conversations',
    operations: {
      list: 'listMessages',
      get: 'getMessage',
      create: 'createMessage',
      update: 'updateMessage',
      delete: 'deleteMessage',
    },
    columns: ['seq', 'senderId', 'body', 'createdAt', 'editedAt', 'deletedAt'],
    sort: 'sort',
    fields: ['body', 'attachments'],
  },
  {
    name: 'participants',
    title: 'Participants',
    singular: 'Participant',
    label: 'name',
    key: 'userId',
    icon: 'users',
    within: 'messaging.conversations',
    operations: { list: 'listParticipants', create: 'addParticipant', delete: 'removeParticipant' },
    columns: ['name', 'userId', 'lastReadSeq', 'joinedAt'],
  },
]

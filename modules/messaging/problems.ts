import { defineProblems } from '@larder-dev/larder/kernel'

export const problems = defineProblems({
  not_the_sender: [403, 'Only the sender can edit or delete a message.'],
  message_deleted: [409, 'This message was deleted.'],
  client_message_id_taken: [409, 'Another message already uses this clientMessageId. Use a new one.'],
  last_participant: [409, 'A conversation needs at least one participant. Resolve it instead.'],
  too_many_participants: [409, 'A conversation can have at most {limit} participants.'],
  shortcut_taken: [409, 'Another saved reply already uses this shortcut.'],
  no_support_inbox: [403, "Support requests are answered in the operator's workspace."],
  too_many_recipients: [422, 'More than {limit} members have the role {role}.'],
  recipient_not_a_member: [422, "The recipient isn't a member of this workspace."],
  too_many_saved_replies: [409, 'A workspace can have at most {limit} saved replies.'],
})

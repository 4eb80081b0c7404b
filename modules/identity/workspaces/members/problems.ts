import { defineProblems } from '@larder-dev/larder/kernel'

export const memberProblems = defineProblems({
  not_owner: [403, 'Only an owner of the workspace can do this.'],
  email_mismatch: [403, 'This invitation was sent to another email address. Sign in with that address.'],
  role_not_automatic: [403, "An automation can't give the role {role}."],
  person_not_confirmed: [403, 'The member was named by a person who may not be one.'],
  not_a_customer: [409, 'Only customers can be suspended. Remove a member of the staff instead.'],
  suspended_customer: [409, 'This customer is suspended. Reinstate them before you change their roles.'],
  already_member: [409, 'This person is already a member. Change their roles instead.'],
  last_owner: [409, 'A workspace needs at least one owner. Make another member an owner first.'],
  invitation_closed: [409, "This invitation is {status} and can't be changed. Send a new invitation."],
  invitation_expired: [
    410,
    'This invitation has expired or was replaced. Open the most recent email or ask for a new invitation.',
  ],
  invitation_revoked: [410, 'This invitation was revoked. Ask for a new one.'],
  invitation_used: [410, 'This invitation has already been accepted. Ask for a new one.'],
})

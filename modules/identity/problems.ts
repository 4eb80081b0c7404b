import { common, defineProblems, type Problem } from 'larder/kernel'

export const problems = defineProblems({
  invalid_credentials: [401, 'E-mail or password is wrong.'],
  registration_closed: [403, 'Registration is closed here. Ask for an invitation.'],
  wrong_password: [403, 'The current password is wrong. Try again, or ask for a link to set a new one.'],
  email_mismatch: [403, 'This invitation was sent to another e-mail address. Sign in with that one.'],
  invalid_claim: [
    403,
    'This claim code is wrong, used or older than an hour. While nobody owns the installation, its next start after that hour shows a new one.',
  ],
  email_taken: [409, 'There is an account with this e-mail address. Sign in, or reset its password.'],
  slug_taken: [409, 'Another workspace has this slug. Choose another one.'],
  operator_tenant: [409, "The operator's own workspace cannot be deleted: the installation stands on it."],
  already_member: [409, 'This person is a member already. Change their roles instead.'],
  last_owner: [409, 'A workspace keeps at least one owner. Make somebody else an owner first.'],
  role_exists: [409, 'There is a role with this key. Change that one, or choose another key.'],
  role_built_in: [409, 'Built-in roles cannot be changed or deleted. Add one of your own.'],
  role_in_use: [409, 'Members or pending invitations have this role. Give them another one first.'],
  invitation_closed: [409, 'This invitation is {status}: it cannot be changed any more. Invite again.'],
  invitation_expired: [
    410,
    'This invitation has expired or was replaced by a newer one. Open the newest mail, or ask for another invitation.',
  ],
  invitation_revoked: [410, 'This invitation was revoked. Ask for another one.'],
  invitation_used: [410, 'This invitation was accepted before. Ask for another one.'],
  link_expired: [410, 'This link is not valid any more. Ask for a new one.'],
})

/** 422 for one field of the body, for rules that a schema can't express. */
export const invalidField = (pointer: string, code: string, detail: string): Problem =>
  common.validation_failed({}, { errors: [{ pointer, code, detail }] })

/** 403 that names the permission the caller needs. */
export const missingPermission = (permission: string): Problem =>
  common.forbidden({ permission }, { requiredPermission: permission })

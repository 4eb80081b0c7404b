/** What automations can do with identity. */
import {
  type ActionRecipe,
  action,
  didYouMean,
  isWrittenOut,
  literalValue,
  Nullable,
  PersonValue,
  rolesOfWorkspaces,
  type StepMistake,
  type StepShape,
  Type,
} from '@larder-dev/larder/kernel'
import { OWNER } from './domain/fixed-roles.ts'
import type { IdentityServices } from './services.ts'
import { memberProblems } from './workspaces/members/problems.ts'
import type { RightsService } from './workspaces/roles/rights.ts'

const closed = { additionalProperties: false }
const Role = literalValue(Type.String({ maxLength: 100, examples: ['tenant.member'] }))
const actorOf = (automation: string) => ({ kind: 'system', id: `automation ${automation}`, userId: null }) as const

export const actions = {
  invite: action({
    title: { en: 'Invite a person', de: 'Person einladen' },
    description: {
      en: 'Invites a person to the workspace by email; does nothing for a member',
      de: 'Lädt eine Person per E-Mail in den Workspace ein; tut nichts, wenn sie Mitglied ist',
    },
    input: Type.Object({ email: PersonValue, role: Role }, closed),
    output: Type.Object({
      invitationId: Nullable(Type.String({ description: 'Null if the person is a member' })),
    }),
    effects: 'database',
    check: (written, recipe) => ({
      ...checkRole(written, recipe),
      events: ['identity.invitation.created', 'identity.invitation.resent'],
    }),
    async run(
      { invitations, rights }: Pick<IdentityServices, 'invitations' | 'rights'>,
      { email: { email, locale }, role },
      { tenantId, automation },
    ) {
      assertAutomatic(rights, role)
      const invitation = { email, roles: [role], ...(locale !== null && { locale }) }
      const sent = await invitations.inviteBySystem(tenantId, invitation, actorOf(automation))
      return { invitationId: sent?.id ?? null }
    },
  }),

  set_role: action({
    title: { en: 'Set the role of a member', de: 'Rolle eines Mitglieds setzen' },
    description: {
      en: 'Gives a member one role in place of the others; owners and operators keep their roles',
      de: 'Gibt einem Mitglied eine Rolle anstelle der anderen; Inhaber und Betreiber behalten ihre Rollen',
    },
    input: Type.Object({ member: PersonValue, role: Role }, closed),
    output: Type.Object({ memberId: Type.String(), roles: Type.Array(Type.String()) }),
    effects: 'database',
    check: (written, recipe) => ({ ...checkRole(written, recipe), events: ['identity.member.roles_changed'] }),
    async run(
      { members, rights }: Pick<IdentityServices, 'members' | 'rights'>,
      { member: { userId, isForeign }, role },
      { tenantId, automation },
    ) {
      assertAutomatic(rights, role)
      // Otherwise, a stranger could choose the member by an address.
      if (isForeign) throw memberProblems.person_not_confirmed()
      const { id, roles } = await members.setRole(tenantId, userId ?? '', role, actorOf(automation))
      return { memberId: id, roles: [...roles] }
    },
  }),
}

/** A role that a workspace defines can hold any permission, so that only those of the recipe and its modules count. */
function assertAutomatic(rights: RightsService, role: string): void {
  if (role === OWNER || rights.builtIn().get(role)?.scope !== 'tenant')
    throw memberProblems.role_not_automatic({ role })
}

function checkRole({ role }: Readonly<Record<string, unknown>>, recipe: ActionRecipe): StepShape {
  return { mistakes: isWrittenOut(role) && recipe.complete ? roleMistakes(role, recipe) : [] }
}

function roleMistakes(role: string, recipe: ActionRecipe): StepMistake[] {
  const known = rolesOfWorkspaces(recipe).filter(key => key !== OWNER)
  if (known.includes(role)) return []
  const isPowerful = role === OWNER || role.startsWith('platform.')
  const hint = didYouMean(role, known)
  return [
    {
      path: ['role'],
      code: isPowerful ? 'role_not_automatic' : 'unknown_role',
      message: isPowerful ? `An automation can't give the role ${role}` : `Unknown role "${role}"`,
      ...(hint !== undefined && !isPowerful && { hint }),
    },
  ]
}

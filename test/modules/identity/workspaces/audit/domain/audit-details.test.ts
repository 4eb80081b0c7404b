import test from 'ava'
import { auditFacts } from '../../../../../../modules/identity/audit/domain/audit-details.ts'

const names = {
  role: (key: string) => (key === 'tenant.member' ? 'Member' : key),
  permission: (key: string) => (key === 'identity.member.read' ? 'View members' : undefined),
}

test('shows details with their titles, and roles and permissions by name', t => {
  t.deepEqual(
    auditFacts(
      {
        userId: 'usr_1',
        operatorId: 'usr_2',
        email: '<b>{0}</b>',
        expiresAt: '2026-01-02T03:04:05.000Z',
        roles: ['tenant.member', 'team.x'],
        previous: [],
        permissions: ['identity.member.read', 'media.*'],
        cause: 'expired',
        slug: null,
        madeUp: 7,
        fields: ['name', 'team_name'],
      },
      names,
    ),
    [
      { label: 'Email', value: '<b>{0}</b>' },
      { label: 'Expires', date: '2026-01-02T03:04:05.000Z' },
      { label: 'Roles', texts: ['Member', 'team.x'] },
      { label: 'Roles before', texts: ['–'] },
      { label: 'Permissions', texts: ['View members', 'media.*'] },
      { label: 'Cause', texts: ['Expired'] },
      { label: 'Made up', value: '7' },
      { label: 'Changed', texts: ['Name', 'Team name'] },
    ],
  )
})

test('counts permissions after the third', t => {
  t.deepEqual(auditFacts({ permissions: ['*', 'a', 'b', 'c', 'd'] }, names), [
    { label: 'Permissions', texts: ['All permissions', 'a', 'b', '+2'] },
  ])
})

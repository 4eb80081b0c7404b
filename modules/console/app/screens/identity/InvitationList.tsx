/** Invitations of the workspace: send again, revoke. */

import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Badge } from '../../components/Badge.tsx'
import { ConfirmDialog } from '../../components/Dialog.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { FilterSelect } from '../../components/FilterSelect.tsx'
import { ListContent } from '../../components/ListContent.tsx'
import { Page } from '../../components/Page.tsx'
import { RowMenu } from '../../components/RowMenu.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { Cell } from '../../components/Value.tsx'
import { useAction } from '../../data/action.ts'
import { callApi } from '../../data/api.ts'
import { moreOf, useRows } from '../../data/list.ts'
import type { Row } from '../../data/resources.ts'
import { usePermissions } from '../../data/session.ts'
import { fieldLabel, fill } from '../../locales/index.ts'
import { crumbsOf, useRefresh } from '../../resource/generic.ts'
import type { ResourceScreenProps } from '../registry.ts'
import { useNames } from './people.ts'
import { NEW_INVITATION, RoleBadges, useRoles } from './roles.tsx'
import { useIdentityTexts } from './texts.ts'
import './identity.css'

const STATUSES = ['pending', 'accepted', 'revoked', 'expired'] as const

export default function InvitationList({ resource }: ResourceScreenProps) {
  const c = useIdentityTexts()
  const { may } = usePermissions()
  const names = useNames()
  const { nameOf } = useRoles()
  const [status, setStatus] = useState('')
  const [revoked, setRevoked] = useState<Row>()
  const { isBusy, run } = useAction({ onDone: useRefresh(resource) })
  const list = useRows(resource, { filters: { 'filter[status]': status } }, {}, true)
  const { rows } = list
  const emailOf = (row: Row) => String(row.email)
  const pathOf = (row: Row) => `/v1/identity/invitations/${row.id}`
  const columns: Column<Row>[] = [
    { id: 'email', title: fieldLabel('email'), cell: row => <strong>{emailOf(row)}</strong> },
    { id: 'roles', title: c.roles, cell: row => <RoleBadges keys={row.roles as string[]} nameOf={nameOf} /> },
    {
      id: 'status',
      title: fieldLabel('status'),
      cell: ({ status: text }) => <Badge text={String(text)} label={c[text as (typeof STATUSES)[number]]} />,
    },
    { id: 'by', title: c.invitedBy, cell: ({ invitedBy }) => names.get(String(invitedBy)) ?? c.formerMember },
    { id: 'expires', title: fieldLabel('expiresAt'), cell: row => <Cell name="expiresAt" value={row.expiresAt} /> },
  ]
  const actions = (row: Row) => [
    ...(may('identity.invitation.create')
      ? [
          {
            id: 'resend',
            text: c.resend,
            icon: 'send',
            onAction: () => {
              run(() => callApi({ method: 'POST', path: `${pathOf(row)}/resend`, body: {} }), c.resent)
            },
          },
        ]
      : []),
    ...(may('identity.invitation.revoke')
      ? [{ id: 'revoke', text: c.revoke, icon: 'x', danger: true, onAction: () => setRevoked(row) }]
      : []),
  ]
  const inviteLink = may('identity.member.invite') && (
    <Link className="button primary" to={NEW_INVITATION}>
      {c.invite}
    </Link>
  )
  return (
    <Page title={resource.title} crumbs={crumbsOf({ ...resource, within: '' })} actions={inviteLink}>
      <search className="toolbar">
        <FilterSelect
          label={fieldLabel('status')}
          value={status}
          options={STATUSES.map(each => [each, c[each]])}
          onChange={setStatus}
        />
      </search>
      <ListContent
        list={list}
        isEmpty={rows.length === 0}
        empty={
          <EmptyState icon="user-plus" title={c.noInvitations} text={status === '' ? c.noInvitationsText : ''}>
            {inviteLink}
          </EmptyState>
        }
      >
        <Table
          label={resource.title}
          columns={columns}
          rows={rows}
          rowKey={row => String(row.id)}
          rowLabel={emailOf}
          rowActions={row => row.status === 'pending' && <RowMenu label={emailOf(row)} items={actions(row)} />}
          {...moreOf(list)}
        />
      </ListContent>
      <ConfirmDialog
        title={c.revokeTitle}
        text={fill(c.revokeText, { email: revoked ? emailOf(revoked) : '' })}
        confirm={c.revoke}
        danger
        isOpen={revoked !== undefined}
        isBusy={isBusy}
        onConfirm={async () => {
          if (revoked) await run(() => callApi({ method: 'DELETE', path: pathOf(revoked) }), c.revokedDone)
          setRevoked(undefined)
        }}
        onClose={() => setRevoked(undefined)}
      />
    </Page>
  )
}

/** Members of the workspace with their roles by name. */

import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../components/Button.tsx'
import { ConfirmDialog, Dialog } from '../../components/Dialog.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { FilterSelect } from '../../components/FilterSelect.tsx'
import { ListContent } from '../../components/ListContent.tsx'
import { Page } from '../../components/Page.tsx'
import { RowMenu } from '../../components/RowMenu.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { TypedInput } from '../../components/TypedInput.tsx'
import { Cell } from '../../components/Value.tsx'
import { useAction } from '../../data/action.ts'
import { callApi } from '../../data/api.ts'
import { moreOf, useRows } from '../../data/list.ts'
import { type Row, recordPath } from '../../data/resources.ts'
import { usePermissions } from '../../data/session.ts'
import { fieldLabel, fill, useTexts } from '../../locales/index.ts'
import { crumbsOf, useRefresh } from '../../resource/generic.ts'
import type { ListSearch } from '../../router.tsx'
import type { ResourceScreenProps } from '../registry.ts'
import { INVITATIONS, NEW_INVITATION, RoleBadges, RoleChoice, type RoleOption, useRoles } from './roles.tsx'
import { useIdentityTexts } from './texts.ts'
import './identity.css'

interface Member extends Row {
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly roles: readonly string[]
}

export default function MemberList({ resource }: ResourceScreenProps) {
  const t = useTexts()
  const c = useIdentityTexts()
  const { may } = usePermissions()
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as ListSearch
  const role = search.filters?.['filter[role]'] ?? ''
  const { roles, nameOf } = useRoles()
  const refresh = useRefresh(resource)
  const { isBusy, run } = useAction({ onDone: refresh })
  const [edited, setEdited] = useState<Member>()
  const [removed, setRemoved] = useState<Member>()
  const list = useRows(resource, { filters: { q: search.q ?? '', 'filter[role]': role } }, {}, true)
  const { rows } = list
  const change = (next: object) =>
    navigate({ to: '.', search: ((before: object) => ({ ...before, ...next })) as never, replace: true })

  const { update } = resource.operations
  // The route lets all members remove themselves.
  const remove = may('identity.member.remove') ? resource.operations.delete : undefined
  const mayChange = update !== undefined && roles.length > 0
  const labelOf = (row: Row) => String(row.name ?? row.email)
  const columns: Column<Row>[] = [
    { id: 'name', title: fieldLabel('name'), cell: row => <Cell name="name" value={row.name} /> },
    { id: 'email', title: fieldLabel('email'), cell: row => <strong>{String(row.email)}</strong> },
    { id: 'roles', title: c.roles, cell: row => <RoleBadges keys={(row as Member).roles} nameOf={nameOf} /> },
    { id: 'joined', title: c.joined, cell: row => <Cell name="createdAt" value={row.createdAt} /> },
  ]
  const actions = (row: Row) => [
    ...(mayChange
      ? [{ id: 'roles', text: c.changeRoles, icon: 'shield', onAction: () => setEdited(row as Member) }]
      : []),
    ...(remove
      ? [{ id: 'remove', text: c.remove, icon: 'trash-2', danger: true, onAction: () => setRemoved(row as Member) }]
      : []),
  ]
  return (
    <Page
      title={resource.title}
      crumbs={crumbsOf({ ...resource, within: '' })}
      actions={
        may('identity.member.invite') && (
          <Link className="button primary" to={NEW_INVITATION}>
            {c.invite}
          </Link>
        )
      }
    >
      <search className="toolbar">
        <TypedInput label={c.searchMembers} value={search.q ?? ''} onChange={q => change({ q: q || undefined })} />
        {roles.length > 0 && (
          <FilterSelect
            label={c.role}
            value={role}
            options={roles.map(({ key, name }) => [key, name])}
            onChange={key => change({ filters: key ? { 'filter[role]': key } : undefined })}
          />
        )}
        {may('identity.invitation.read') && (
          <Link className="button quiet" to={INVITATIONS}>
            {c.invitations}
          </Link>
        )}
      </search>
      <ListContent
        list={list}
        isEmpty={rows.length === 0}
        empty={
          <EmptyState icon="search" title={t('emptyFiltered')} text={t('emptyFilteredText')}>
            <Button onPress={() => change({ q: undefined, filters: undefined })}>{t('clearFilters')}</Button>
          </EmptyState>
        }
      >
        <Table
          label={resource.title}
          columns={columns}
          rows={rows}
          rowKey={row => String(row.id)}
          rowLabel={labelOf}
          rowActions={mayChange || remove ? row => <RowMenu label={labelOf(row)} items={actions(row)} /> : undefined}
          {...moreOf(list)}
        />
      </ListContent>
      {edited && update && (
        <RolesDialog
          key={edited.id}
          member={edited}
          roles={roles}
          onClose={() => setEdited(undefined)}
          onSave={async chosen => {
            const path = recordPath(update, {}, edited.id)
            const work = () => callApi({ method: update.method, path, body: { roles: chosen } })
            if (await run(work, c.rolesChanged)) setEdited(undefined)
          }}
          isBusy={isBusy}
        />
      )}
      <ConfirmDialog
        title={fill(c.removeTitle, { name: removed ? labelOf(removed) : '' })}
        text={c.removeText}
        confirm={c.remove}
        danger
        isOpen={removed !== undefined}
        isBusy={isBusy}
        onConfirm={async () => {
          if (!removed || !remove) return
          await run(() => callApi({ method: remove.method, path: recordPath(remove, {}, removed.id) }), c.removed)
          setRemoved(undefined)
        }}
        onClose={() => setRemoved(undefined)}
      />
    </Page>
  )
}

interface RolesProps {
  readonly member: Member
  readonly roles: readonly RoleOption[]
  readonly isBusy: boolean
  readonly onSave: (chosen: readonly string[]) => void
  readonly onClose: () => void
}

function RolesDialog({ member, roles, isBusy, onSave, onClose }: RolesProps) {
  const t = useTexts()
  const c = useIdentityTexts()
  const [chosen, setChosen] = useState(member.roles)
  return (
    <Dialog
      title={fill(c.rolesOf, { name: member.name ?? member.email })}
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button kind="primary" isDisabled={isBusy || chosen.length === 0} onPress={() => onSave(chosen)}>
            {t('save')}
          </Button>
        </>
      }
    >
      <RoleChoice roles={roles} chosen={chosen} onChange={setChosen} />
    </Dialog>
  )
}

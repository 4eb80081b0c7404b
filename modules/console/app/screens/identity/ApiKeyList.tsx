/** API keys of the workspace, with their scopes and last use. */

import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { ConfirmDialog } from '../../components/Dialog.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { ListContent } from '../../components/ListContent.tsx'
import { Page } from '../../components/Page.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { useAction } from '../../data/action.ts'
import { callApi } from '../../data/api.ts'
import { moreOf, useRows } from '../../data/list.ts'
import { inSentence, nounOf, type Row } from '../../data/resources.ts'
import { fieldLabel, fill, formatDate, useTexts } from '../../locales/index.ts'
import { crumbsOf, editUrl, newUrl, useRefresh } from '../../resource/generic.ts'
import type { ResourceScreenProps } from '../registry.ts'
import { useNames } from './people.ts'
import { useIdentityTexts } from './texts.ts'
import './identity.css'

const nameOf = (row: Row) => String(row.name)

export default function ApiKeyList({ resource }: ResourceScreenProps) {
  const t = useTexts()
  const c = useIdentityTexts()
  const names = useNames()
  const [revoked, setRevoked] = useState<Row>()
  const { isBusy, run } = useAction({ onDone: useRefresh(resource) })
  const list = useRows(resource, {}, {}, true)
  const { rows } = list
  const { create, update, delete: remove } = resource.operations
  const columns: Column<Row>[] = [
    {
      id: 'name',
      title: fieldLabel('name'),
      cell: row =>
        update ? (
          <Link className="row-link" to={editUrl(resource, String(row.id))}>
            {nameOf(row)}
          </Link>
        ) : (
          <strong>{nameOf(row)}</strong>
        ),
    },
    { id: 'prefix', title: c.startsWith, cell: ({ prefix }) => <code>{String(prefix)}…</code> },
    { id: 'scopes', title: fieldLabel('permissions'), cell: ({ permissions }) => <Scopes permissions={permissions} /> },
    { id: 'by', title: c.createdBy, cell: ({ createdBy }) => names.get(String(createdBy)) ?? c.formerMember },
    { id: 'used', title: c.lastUsed, cell: ({ lastUsedAt }) => <Day at={lastUsedAt} otherwise={c.never} /> },
    { id: 'expires', title: c.expires, cell: ({ expiresAt }) => <Expiry at={expiresAt} /> },
  ]
  const createLink = create && (
    <Link className="button primary" to={newUrl(resource)}>
      {t('create', { name: nounOf(resource) })}
    </Link>
  )
  return (
    <Page title={resource.title} crumbs={crumbsOf({ ...resource, within: '' })} actions={createLink}>
      <ListContent
        list={list}
        isEmpty={rows.length === 0}
        empty={
          <EmptyState icon="key-round" title={t('empty', { title: inSentence(resource.title) })} text={c.noKeysText}>
            {createLink}
          </EmptyState>
        }
      >
        <Table
          label={resource.title}
          columns={columns}
          rows={rows}
          rowKey={row => String(row.id)}
          rowLabel={nameOf}
          rowActions={
            remove
              ? row => (
                  <Button
                    kind="quiet"
                    icon="trash-2"
                    label={`${c.revoke}: ${nameOf(row)}`}
                    onPress={() => setRevoked(row)}
                  />
                )
              : undefined
          }
          {...moreOf(list)}
        />
      </ListContent>
      <ConfirmDialog
        title={fill(c.revokeKeyTitle, { name: revoked ? nameOf(revoked) : '' })}
        text={c.revokeKeyText}
        confirm={c.revoke}
        danger
        isOpen={revoked !== undefined}
        isBusy={isBusy}
        onConfirm={async () => {
          const path = `/v1/identity/api-keys/${revoked?.id}`
          await run(() => callApi({ method: 'DELETE', path }), c.keyRevoked)
          setRevoked(undefined)
        }}
        onClose={() => setRevoked(undefined)}
      />
    </Page>
  )
}

export function Scopes({ permissions }: { readonly permissions: unknown }) {
  const c = useIdentityTexts()
  if (!Array.isArray(permissions)) return <>{c.allPermissions}</>
  const [first] = permissions
  return permissions.length === 1 ? <code>{String(first)}</code> : fill(c.someScopes, { count: permissions.length })
}

const Day = ({ at, otherwise }: { readonly at: unknown; readonly otherwise: string }) =>
  typeof at === 'string' ? <time dateTime={at}>{formatDate(at)}</time> : <span className="muted">{otherwise}</span>

export function Expiry({ at }: { readonly at: unknown }) {
  const c = useIdentityTexts()
  if (typeof at === 'string' && Date.parse(at) <= Date.now()) return <Badge text="expired" label={c.expired} />
  return <Day at={at} otherwise={c.never} />
}

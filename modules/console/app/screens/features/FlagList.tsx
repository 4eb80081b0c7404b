/** Flags with a switch each. Turning one off asks first: it applies to everyone at once. */

import { useState } from 'react'
import {
  type Api,
  api,
  areaCrumbs,
  Badge,
  Cell,
  type Column,
  ConfirmDialog,
  createTitle,
  EmptyState,
  fill,
  folded,
  inSentence,
  ListContent,
  labelIn,
  moreOf,
  NoMatches,
  newUrl,
  Page,
  type ResourceScreenProps,
  recordUrl,
  ScreenLink,
  Table,
  TypedInput,
  useAction,
  useRefresh,
  useRows,
  useTexts,
} from '../../public.ts'
import { valueText } from './rules.ts'
import { useFeatureTexts } from './texts.ts'
import './features.css'

const keyOf = ({ key }: Api.Flag) => key

export default function FlagList({ resource }: ResourceScreenProps) {
  const t = useTexts()
  const c = useFeatureTexts()
  const { isBusy, run } = useAction({ onDone: useRefresh(resource) })
  const list = useRows<'/v1/features'>(resource, {}, {}, true)
  const { rows } = list
  const [text, setText] = useState('')
  const [asked, setAsked] = useState<Api.Flag>()
  const { update, create } = resource.operations
  async function setEnabled(flag: Api.Flag, enabled: boolean) {
    const input = { path: { key: flag.key }, body: { enabled } }
    const message = fill(enabled ? c.turnedOn : c.turnedOff, { name: keyOf(flag) })
    await run(() => api.patch('/v1/features/{key}', input), message)
  }
  const columns: Column<Api.Flag>[] = [
    {
      id: 'key',
      title: c.flag,
      cell: flag => (
        <ScreenLink className="row-link" to={recordUrl(resource, keyOf(flag))}>
          {keyOf(flag)}
        </ScreenLink>
      ),
    },
    {
      id: 'enabled',
      title: c.isOn,
      kind: 'control',
      cell: flag => (
        <input
          type="checkbox"
          role="switch"
          className="switch"
          aria-label={fill(c.switchFlag, { name: keyOf(flag) })}
          checked={flag.enabled}
          aria-checked={flag.enabled}
          disabled={!update}
          onChange={event => (event.target.checked ? setEnabled(flag, true) : setAsked(flag))}
        />
      ),
    },
    { id: 'name', title: labelIn(resource, 'name'), cell: flag => <Cell name="name" value={flag.name} /> },
    { id: 'default', title: labelIn(resource, 'default'), cell: flag => <code>{valueText(flag.default)}</code> },
    {
      id: 'rules',
      title: labelIn(resource, 'rules'),
      kind: 'number',
      cell: flag => flag.rules.length,
    },
    {
      id: 'notes',
      title: c.origin,
      cell: flag => (
        <span className="row">
          {flag.override !== null && (
            <Badge text="warning" label={fill(c.override, { value: valueText(flag.override) })} />
          )}
          {flag.managedBy === 'operator' && <Badge text="product" label={c.everybody} />}
          {flag.managedBy === 'recipe' && <Badge text="recipe" label={c.fromRecipe} />}
        </span>
      ),
    },
  ]
  const wanted = folded(text.trim())
  const shown = rows.filter(flag => folded(`${flag.key}\n${flag.name ?? ''}`).includes(wanted))
  const createLink = create && (
    <ScreenLink className="button primary" to={newUrl(resource)}>
      {createTitle(resource, t)}
    </ScreenLink>
  )
  return (
    <Page title={resource.title} crumbs={areaCrumbs(resource.module)} actions={createLink}>
      <ListContent
        list={list}
        isEmpty={rows.length === 0}
        empty={
          <EmptyState icon="flag" title={t('empty', { title: inSentence(resource.title) })} text={t('emptyText')}>
            {createLink}
          </EmptyState>
        }
      >
        <search className="toolbar">
          <TypedInput label={c.searchFlags} value={text} onChange={setText} />
        </search>
        {shown.length === 0 ? (
          <NoMatches onClear={() => setText('')} />
        ) : (
          <Table
            label={resource.title}
            columns={columns}
            rows={shown}
            rowKey={keyOf}
            rowLabel={keyOf}
            {...moreOf(list)}
          />
        )}
      </ListContent>
      <ConfirmDialog
        title={fill(c.turnOffTitle, { name: asked ? keyOf(asked) : '' })}
        text={fill(c.turnOffText, { value: valueText(asked?.default ?? '') })}
        confirm={c.turnOff}
        danger
        isOpen={asked !== undefined}
        isBusy={isBusy}
        onConfirm={() => asked && setEnabled(asked, false)}
        onClose={() => setAsked(undefined)}
      />
    </Page>
  )
}

import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../components/Button.tsx'
import { Page } from '../components/Page.tsx'
import { createTitle, type Row } from '../data/resources.ts'
import { useTexts } from '../locales/index.ts'
import { areaCrumbs, type GenericProps, newUrl, searchOf } from './generic.ts'
import { CommandRunner, type RecordCommand } from './RecordActions.tsx'
import { ResourceList } from './ResourceList.tsx'

const NO_ROW: Row = {}

export function ListScreen({ resource, search }: GenericProps) {
  const t = useTexts()
  const scope = search.with ?? {}
  const [command, setCommand] = useState<RecordCommand>()
  const listActions = resource.actions.filter(({ on }) => on === 'list')
  const actions = (
    <>
      {listActions.map(({ title, danger = false, confirm, ...operation }) => (
        <Button key={operation.id} onPress={() => setCommand({ operation, title, danger, confirm, isDelete: false })}>
          {title}
        </Button>
      ))}
      {resource.operations.create && (
        <Link className="button primary" to={newUrl(resource)} search={searchOf(scope)}>
          {createTitle(resource, t)}
        </Link>
      )}
    </>
  )
  return (
    <Page title={resource.title} crumbs={areaCrumbs(resource.module)} actions={actions}>
      <ResourceList resource={resource} scope={scope} search={search} />
      <CommandRunner
        resource={resource}
        scope={scope}
        rows={[NO_ROW]}
        command={command}
        onClose={() => setCommand(undefined)}
      />
    </Page>
  )
}

import type { ReactNode } from 'react'
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from 'react-aria-components/Tabs'
import styles from './Tabs.module.css'

export interface TabPart {
  readonly id: string
  readonly title: string
  readonly render: () => ReactNode
}

/** Renders the content of the selected tab only. */
export function Tabs({
  label,
  tabs,
  selected,
  onSelect,
}: {
  readonly label: string
  readonly tabs: readonly TabPart[]
  readonly selected: string
  readonly onSelect: (id: string) => void
}) {
  return (
    <AriaTabs className={styles.tabs} selectedKey={selected} onSelectionChange={key => onSelect(String(key))}>
      <TabList aria-label={label} className={styles.list}>
        {tabs.map(({ id, title }) => (
          <Tab key={id} id={id} className={styles.tab}>
            {title}
          </Tab>
        ))}
      </TabList>
      {tabs.map(({ id, render }) => (
        <TabPanel key={id} id={id} className={styles.panel}>
          {render()}
        </TabPanel>
      ))}
    </AriaTabs>
  )
}

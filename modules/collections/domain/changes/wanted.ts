/** The collections of a recipe, as a plan compares them with the tables. Pure. */
import type { Collections } from '../declarations/collection.ts'
import { layoutOf } from '../tables/layout.ts'
import type { WantedCollection } from './schema-plan.ts'

export const wantedCollections = (collections: Collections): WantedCollection[] =>
  [...collections.values()].map(collection => ({
    layout: layoutOf(collection, collections),
    was: collection.was,
    fieldWas: new Map(
      [...collection.fields.values()].flatMap(({ name, was }) => (was === undefined ? [] : [[name, was]])),
    ),
    fieldUsing: new Map(
      [...collection.fields.values()].flatMap(({ name, using }) => (using === undefined ? [] : [[name, using]])),
    ),
    fieldDefaults: new Map(
      [...collection.fields.values()].flatMap(({ name, defaultFrom }) =>
        defaultFrom && 'expression' in defaultFrom ? [[name, defaultFrom.expression]] : [],
      ),
    ),
  }))

import { defineProblems } from '@larder-dev/larder/kernel'

export const roleProblems = defineProblems({
  too_many_roles: [409, 'A workspace has at most {limit} roles of its own. Delete one first.'],
  role_exists: [409, 'A role with this key already exists. Choose another key.'],
  role_built_in: [409, "Built-in roles can't be changed or deleted. Create a custom role instead."],
  role_in_use: [409, 'Members or pending invitations have this role. Assign them another role first.'],
})

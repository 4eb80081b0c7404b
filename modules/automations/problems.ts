import { defineProblems, Type } from '@larder-dev/larder/kernel'

export const problems = defineProblems({
  already_answered: [409, 'The question has been answered, or its time is over.'],
  unknown_choice: [422, 'The answers are: {choices}.'],
  not_asked: [403, 'The question is for members with another role.'],
  button_of_others: [403, 'The button is for members with another role.'],
  already_running: [409, 'The automation is already running for this row.', { runId: Type.String() }],
  button_not_offered: [409, "The row doesn't meet the conditions of this button."],
  run_open: [409, 'The run is not over.'],
  run_over: [409, 'The run is over.'],
  run_not_failed: [409, 'Only a failed run can be retried.'],
  output_unreadable: [
    409,
    'The output of an earlier step was encrypted with another LARDER_SECRET. Start the automation again.',
  ],
  input_not_kept: [409, 'What started the run was too large to be kept. It is needed for another attempt.'],
  automation_removed: [409, 'The recipe no longer has the automation {automation}.'],
})

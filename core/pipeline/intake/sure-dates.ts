/** sure-dates: the forms of days and times that are read in one way only, whatever the other dates of a file are. */

/** How a time of day is written, as `CsvField.date` has it. */
export const TIME_FORMS = ['H:mm:ss', 'H:mm', 'h:mm:ss A', 'h:mm A', 'h:mm:ssA', 'h:mmA', 'h A', 'hA'];

/** Days with the year first, with points, or with the name of the month: nobody can take their day for the month. */
const SURE_DAYS = [
  ...['YYYY-M-D', 'D.M.YYYY', 'D. M. YYYY', 'MMM D YYYY'],
  ...['D MMM YYYY', 'D. MMM YYYY', 'D-MMM-YYYY', 'D-MMM-YY'],
];
const SURE_MOMENTS = SURE_DAYS.flatMap((day) =>
  TIME_FORMS.flatMap((time) => ['', 'Z'].map((zone) => `${day} ${time}${zone}`)),
);

/**
 * What can be read besides the given forms without guessing. A time is read only where the given forms have one: else
 * nobody has said on which clock it is.
 */
export function sureFormsBeside(forms: readonly string[]): readonly string[] {
  if (forms.length === 0) {
    return [];
  }
  const all = forms.some((form) => /[Hh]/.test(form)) ? [...SURE_DAYS, ...SURE_MOMENTS] : SURE_DAYS;
  return all.filter((form) => !forms.includes(form));
}

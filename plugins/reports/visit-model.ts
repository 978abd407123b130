/** visit-model: the model of visits, which is nested in others and stands alone, too. */
export const VISIT = 'Encounter';

export interface MedalProps {
  metal: 'gold' | 'silver';
  size?: number;
}

const coins = {
  gold: { face: '#f2b93b', rim: '#c98a12', star: '#7a4f00' },
  silver: { face: '#d5dbe6', rim: '#98a3b8', star: '#4c5669' },
} as const;

/** Gold stands for reputations, silver for commitments. Decorative: the number next to it has the name. */
export function Medal({ metal, size = 22 }: MedalProps) {
  const { face, rim, star } = coins[metal];
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden>
      <path d="M6 1.500h5l2.500 7-4 2zM18 1.500h-5l-2.500 7 4 2z" fill="#4460d3" />
      <path d="M18 1.500h-5l-1.500 4 3 5z" fill="#7a94ee" />
      <circle cx="12" cy="15" r="7.250" fill={face} stroke={rim} strokeWidth="1.500" />
      <path
        d="M12 10.800l1.250 2.600 2.850.4-2.050 2 .5 2.850L12 17.300l-2.550 1.350.5-2.850-2.050-2 2.850-.4z"
        fill={star}
      />
    </svg>
  );
}

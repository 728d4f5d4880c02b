/* Solves GOPS for two players, with prizes that stay on offer after a tie, and says what given
 * positions are worth. `python -m bench.gops` compiles and calls it:
 *
 *     solve N < positions > worths
 *
 * A position is before a prize is turned up: both hands, the prizes face down, the pot carried on.
 * It is read as four 16-bit numbers (sets have bit v - 1 for the value v); positions are in
 * ascending order of the number of cards. Its worth is written as a float: how many more points the
 * holder of the first hand wins than the other player, on average, if both play carefully.
 *
 * The game is solved backwards, one number of cards after another, and only two layers are kept.
 * Only the order of the cards in the hands matters: which card of one lies between which of the
 * other. So both are squeezed to the values that either holds, and a pair is kept once, not twice
 * with the sides exchanged: the worth then changes its sign. Up to ten cards, every pot is solved.
 * Above that, pots are solved at a few points (KNOTS) and interpolated linearly between them;
 * prizes turned up stay exact. Thirteen cards: 2.6 billion rounds, 6 GB, 20 minutes on two cores.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 13
#define WIDE 16
#define EXACT 10 /* cards up to which every pot is solved */
#define NOTHING 1e-10

static const int KNOTS[] = {0, 2, 5, 9, 14, 21, 31, 50, 91};

typedef uint16_t Set;
typedef struct { Set mine, theirs, prizes, pot; } Position;

static int cards;         /* N */
static int total;         /* the points of all prizes */
static int pots[128];     /* the pots that are kept */
static int pot_count;
static int32_t *pair_id;  /* of squeezed hands, mine >= theirs */
static int pair_count[MOST + 1];
static Set *pair_mine[MOST + 1], *pair_theirs[MOST + 1];
static int *set_id;       /* of a set among those of its size */
static int set_count[MOST + 1];
static Set *sets[MOST + 1];

static int size_of(unsigned set) { return __builtin_popcount(set); }

static int points_of(unsigned set) {
    int points = 0;
    for (; set; set &= set - 1) points += __builtin_ctz(set) + 1;
    return points;
}

static int listed(unsigned set, int *places) {
    int count = 0;
    for (; set; set &= set - 1) places[count++] = __builtin_ctz(set);
    return count;
}

static unsigned squeezed(unsigned set, unsigned used) {
    unsigned result = 0;
    for (int place = 0; used; used &= used - 1, place++)
        if (set & used & -used) result |= 1u << place;
    return result;
}

/* Return the number of a pair of hands, and in `sign` whether it is kept as it is (1), with the
 * sides exchanged (-1), or is worth nothing, because both hold the same (0). */
static int number_of(unsigned mine, unsigned theirs, int *sign) {
    unsigned used = mine | theirs, a = squeezed(mine, used), b = squeezed(theirs, used);
    *sign = (a > b) - (a < b);
    if (a < b) { unsigned other = a; a = b; b = other; }
    return pair_id[(a << cards) | b];
}

/* Return the worth of a round to the row player: the simplex method on `table`, size by size. */
static double value_of(int size, double table[][WIDE]) {
    double low = -1e30, high = 1e30, least = 1e30, t[WIDE + 1][WIDE + 1];
    int inside[WIDE], outside[WIDE];
    for (int i = 0; i < size; i++) {
        double worst = 1e30;
        for (int j = 0; j < size; j++) if (table[i][j] < worst) worst = table[i][j];
        if (worst > low) low = worst;
        if (worst < least) least = worst;
    }
    for (int j = 0; j < size; j++) {
        double best = -1e30;
        for (int i = 0; i < size; i++) if (table[i][j] > best) best = table[i][j];
        if (best < high) high = best;
    }
    if (high - low < NOTHING) return low;
    double shift = 1 - least; /* makes every entry positive */
    for (int i = 0; i < size; i++) {
        for (int j = 0; j < size; j++) t[i][j] = table[i][j] + shift;
        t[i][size] = 1;
        inside[i] = size + i;
        outside[i] = i;
        t[size][i] = -1;
    }
    t[size][size] = 0;
    for (int step = 0;; step++) {
        int entering = -1, leaving = -1;
        double best = -NOTHING;
        for (int j = 0; j < size; j++) {
            /* At first the steepest; later the first in order, which cannot cycle. */
            int better = step < 200 ? t[size][j] < best
                : t[size][j] < -NOTHING && (entering < 0 || outside[j] < outside[entering]);
            if (better) { best = t[size][j]; entering = j; }
        }
        if (entering < 0) break;
        double limit = 1e30;
        for (int i = 0; i < size; i++) {
            if (t[i][entering] <= 1e-11) continue;
            double ratio = t[i][size] / t[i][entering];
            if (ratio < limit - 1e-13
                || (ratio <= limit + 1e-13 && leaving >= 0 && inside[i] < inside[leaving])) {
                limit = ratio;
                leaving = i;
            }
        }
        double scale = 1 / t[leaving][entering];
        for (int j = 0; j <= size; j++) t[leaving][j] *= scale;
        for (int i = 0; i <= size; i++) {
            double factor = t[i][entering];
            if (i == leaving || factor == 0) continue;
            for (int j = 0; j <= size; j++) t[i][j] -= factor * t[leaving][j];
            t[i][entering] = -factor * scale;
        }
        t[leaving][entering] = scale;
        int name = inside[leaving];
        inside[leaving] = outside[entering];
        outside[entering] = name;
    }
    return 1 / t[size][size] - shift;
}

/* Return the worth at any pot, interpolated linearly between the pots that are kept. */
static double at_pot(const float *worths, int pot) {
    int next = 0;
    while (pots[next] < pot) next++;
    if (pots[next] == pot) return worths[next];
    double share = (double)(pot - pots[next - 1]) / (pots[next] - pots[next - 1]);
    return worths[next - 1] + share * (worths[next] - worths[next - 1]);
}

/* List the stakes that are solved when these prizes are still face down after the round; return
 * their number. */
static int stakes_of(unsigned down, int *stakes) {
    int count = 0, most = total - points_of(down);
    for (int stake = 1; stake <= most; stake++) {
        int turned = stake <= cards && !(down >> (stake - 1) & 1), knot = stake == most;
        for (int p = 0; p < pot_count; p++) knot |= pots[p] == stake;
        if (turned || knot) stakes[count++] = stake;
    }
    return count;
}

/* Fill `rounds` with what a round is worth, by the prizes still face down and the stake. */
static void rounds_of(int size, unsigned mine, unsigned theirs, const float *later, float *rounds) {
    int own[WIDE], other[WIDE], sign[WIDE][WIDE];
    const float *next[WIDE][WIDE];
    size_t step = (size_t)set_count[size - 1] * pot_count;
    listed(mine, own);
    listed(theirs, other);
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
            next[i][j] = later
                + step * number_of(mine & ~(1u << own[i]), theirs & ~(1u << other[j]), &sign[i][j]);
    for (int d = 0; d < set_count[size - 1]; d++) {
        int stakes[128], count = stakes_of(sets[size - 1][d], stakes), before = 0;
        float *row = rounds + (size_t)d * (total + 1);
        for (int s = 0; s < count; s++) {
            double table[WIDE][WIDE];
            int stake = stakes[s];
            for (int i = 0; i < size; i++)
                for (int j = 0; j < size; j++) {
                    const float *worths = next[i][j] + (size_t)d * pot_count;
                    int tie = own[i] == other[j];
                    table[i][j] = sign[i][j] ? sign[i][j] * at_pot(worths, tie ? stake : 0) : 0;
                    if (!tie) table[i][j] += own[i] > other[j] ? stake : -stake;
                }
            row[stake] = value_of(size, table);
            for (int z = before + 1; z < stake; z++)
                row[z] = before ? row[before] + (row[stake] - row[before]) * (z - before)
                    / (stake - before) : row[stake];
            before = stake;
        }
    }
}

/* Return the worth of all positions with this many cards, from those with one card fewer. */
static float *layer_of(int size, const float *later) {
    size_t step = (size_t)set_count[size] * pot_count;
    float *layer = calloc(pair_count[size] * step, sizeof(float));
    if (!layer) { fprintf(stderr, "not enough memory\n"); exit(1); }
    #pragma omp parallel for schedule(dynamic, 1)
    for (int t = 0; t < pair_count[size]; t++) {
        unsigned mine = pair_mine[size][t], theirs = pair_theirs[size][t];
        if (mine == theirs) continue;
        float *rounds = malloc(sizeof(float) * set_count[size - 1] * (total + 1));
        rounds_of(size, mine, theirs, later, rounds);
        for (int p = 0; p < set_count[size]; p++) {
            unsigned prizes = sets[size][p];
            for (int c = 0; c < pot_count; c++) {
                int most = total - points_of(prizes), pot = pots[c] < most ? pots[c] : most;
                double sum = 0;
                for (unsigned left = prizes; left; left &= left - 1) {
                    unsigned turned = left & -left;
                    int stake = __builtin_ctz(turned) + 1 + pot;
                    sum += rounds[(size_t)set_id[prizes & ~turned] * (total + 1) + stake];
                }
                layer[t * step + (size_t)p * pot_count + c] = sum / size;
            }
        }
        free(rounds);
    }
    return layer;
}

static void prepare(void) {
    size_t all = (size_t)1 << cards;
    total = cards * (cards + 1) / 2;
    if (cards <= EXACT)
        while (pot_count <= total) pots[pot_count] = pot_count, pot_count++;
    else
        for (size_t k = 0; k < sizeof KNOTS / sizeof *KNOTS; k++) {
            int pot = KNOTS[k] * total / 91;
            if (!pot_count || pot > pots[pot_count - 1]) pots[pot_count++] = pot;
        }
    set_id = malloc(all * sizeof(int));
    pair_id = malloc(all * all * sizeof(int32_t));
    for (int k = 0; k <= cards; k++) sets[k] = malloc(all * sizeof(Set));
    for (unsigned set = 0; set < all; set++) {
        int k = size_of(set);
        set_id[set] = set_count[k];
        sets[k][set_count[k]++] = set;
    }
    for (int fill = 0; fill < 2; fill++) {
        for (int k = 0; k <= cards; k++) {
            if (fill) pair_mine[k] = malloc((pair_count[k] + 1) * sizeof(Set));
            if (fill) pair_theirs[k] = malloc((pair_count[k] + 1) * sizeof(Set));
            pair_count[k] = 0;
        }
        for (int used = 0; used <= cards; used++) {
            unsigned full = (1u << used) - 1;
            for (unsigned a = 0; a <= full; a++)
                for (unsigned both = a;; both = (both - 1) & a) { /* values that both hold */
                    unsigned b = (full & ~a) | both;
                    int k = size_of(a);
                    if (size_of(b) == k && a >= b) {
                        if (fill) {
                            pair_mine[k][pair_count[k]] = a;
                            pair_theirs[k][pair_count[k]] = b;
                            pair_id[((size_t)a << cards) | b] = pair_count[k];
                        }
                        pair_count[k]++;
                    }
                    if (!both) break;
                }
        }
    }
}

int main(int count, char **words) {
    cards = count == 2 ? atoi(words[1]) : 0;
    if (cards < 2 || cards > MOST) { fprintf(stderr, "solve N, from 2 to %d\n", MOST); return 2; }
    prepare();
    float *layer = calloc(pot_count, sizeof(float)); /* no cards: the pot goes to no one */
    Position asked;
    int more = fread(&asked, sizeof asked, 1, stdin) == 1;
    for (int size = 1; size <= cards && more; size++) {
        float *next = layer_of(size, layer);
        free(layer);
        layer = next;
        fprintf(stderr, "%d cards: %d pairs of hands\n", size, pair_count[size]);
        for (; more && size_of(asked.mine) == size; more = fread(&asked, sizeof asked, 1, stdin) == 1) {
            int sign, pair = number_of(asked.mine, asked.theirs, &sign);
            size_t place = (size_t)pair * set_count[size] + set_id[asked.prizes];
            float worth = sign ? sign * at_pot(layer + place * pot_count, asked.pot) : 0;
            fwrite(&worth, sizeof worth, 1, stdout);
        }
    }
    return 0;
}

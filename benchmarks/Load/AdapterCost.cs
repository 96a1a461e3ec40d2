using System.Globalization;

namespace EventHubThroughput.Load;

/// <summary>
/// The cost that the adapter adds to the bare packages in one load. Each round is compared separately, and the median is taken, so that differences of
/// the machine between rounds do not count.
/// </summary>
/// <param name="Name">The load.</param>
/// <param name="Rates">The rates through the adapter divided by those without it, lowest first. 1 means no cost.</param>
/// <param name="Microseconds">Processor time that the adapter adds to an event.</param>
/// <param name="Bytes">Bytes that the adapter allocates for an event.</param>
internal sealed record AdapterCost(string Name, IReadOnlyList<double> Rates, double Microseconds, double Bytes)
{
    private const double LowestRate = 0.97;
    private const double MostMicroseconds = 2;
    private const double MostBytes = 1_024;

    /// <param name="name">The load.</param>
    /// <param name="adapted">The rounds through the adapter.</param>
    /// <param name="bare">The same number of rounds without it.</param>
    public static AdapterCost Of(string name, IReadOnlyList<FamilyRound> adapted, IReadOnlyList<FamilyRound> bare)
    {
        var rounds = adapted.Zip(bare).ToList();
        return new AdapterCost(
            name,
            [.. rounds.Select(static round => round.First.Rate / round.Second.Rate).Order()],
            rounds.Select(static round => round.First.Microseconds - round.Second.Microseconds).Median(),
            rounds.Select(static round => round.First.Bytes - round.Second.Bytes).Median()
        );
    }

    public static string Heading(string title) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"| {title} | rate, official by bare | lowest | highest | us/event more | bytes/event more | beyond {1 - LowestRate:P0}, {MostMicroseconds} us, {MostBytes:N0} B |\n"
        ) + "|---|--:|--:|--:|--:|--:|---|";

    public override string ToString() =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"| {Name} | {Rates.Median():F3} | {Rates[0]:F3} | {Rates[^1]:F3} | {Rounded(Microseconds, 1):+0.0;-0.0;0.0} | {Rounded(Bytes, 0):+0;-0;0} | {Beyond()} |"
        );

    // Removes the sign of a negative zero.
    private static double Rounded(double figure, int digits) => Math.Round(figure, digits) + 0.0;

    private string Beyond()
    {
        string[] beyond =
        [
            .. Rates.Median() < LowestRate ? ["rate"] : Array.Empty<string>(),
            .. Microseconds > MostMicroseconds ? ["us"] : Array.Empty<string>(),
            .. Bytes > MostBytes ? ["bytes"] : Array.Empty<string>(),
        ];
        return beyond.Length == 0 ? "none" : string.Join(", ", beyond);
    }
}

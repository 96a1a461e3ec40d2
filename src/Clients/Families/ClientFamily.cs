using System.Globalization;

namespace EventHubThroughput.Clients;

/// <summary>One choice of clients for all services, by its name on the command line.</summary>
/// <param name="Name">The value of <c>--clients</c>.</param>
/// <param name="Connect">Makes the clients; nothing is connected yet.</param>
public sealed record ClientFamily(string Name, Func<MessagingSettings, ClientOptions, IMessagingClients> Connect)
{
    /// <summary>The name of the family over the official packages.</summary>
    public const string Official = "official";

    /// <summary>The checkpoint store of this family's processors; <see cref="CheckpointStores.Own"/> unless a package brings another.</summary>
    public string CheckpointStore { get; init; } = CheckpointStores.Own;

    /// <summary>Whether Entra ID can stand in where a service has no key.</summary>
    public bool TakesEntraId { get; init; }

    /// <summary>The packages that speak, each as <c>name version</c>; empty for the built-in family.</summary>
    public IReadOnlyList<string> Packages { get; init; } = [];

    /// <summary>The family that speaks the protocols by itself.</summary>
    public static ClientFamily BuiltIn { get; } = new("builtin", static (settings, options) => new BuiltInClients(settings, new BuiltInClientOptions(options)));

    /// <summary>One line with the packages, their versions and how they try again, which their defaults would hide; null for the built-in family.</summary>
    public string? Describe(ClientOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        return Packages.Count == 0 ? null : $"{string.Join(", ", Packages)}, {TextOf(options.Retry)}, writes: {TextOf(options.Writes ?? options.Retry)}";
    }

    /// <summary>What a program says of these clients before it connects, line by line; nothing for the built-in family.</summary>
    /// <param name="options">How the clients are used.</param>
    /// <param name="frames">Whether the program was asked to show AMQP frames, which only the built-in family can.</param>
    public IEnumerable<string> FirstLines(ClientOptions options, bool frames)
    {
        if (Describe(options) is { } description)
        {
            yield return $"clients: {description}";
            if (frames)
            {
                yield return $"warning: --trace-frames: the clients '{Name}' log no frames. --clients={BuiltIn.Name} and the emulator do";
            }
        }
    }

    /// <summary>Why this family cannot use such settings: one line for each variable that is in the way, none when it can.</summary>
    public IEnumerable<string> ProblemsOf(MessagingSettings settings)
    {
        ArgumentNullException.ThrowIfNull(settings);
        return TakesEntraId ? [] : settings.ByEntraId.Select(static variable => $"{variable}: Entra ID needs --clients={Official}");
    }

    private static string TextOf(RetryOptions retry) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"{retry.MaximumRetries} retries from {retry.FirstDelay.TotalSeconds:0.###} s to {retry.MaximumDelay.TotalSeconds:0.###} s, {retry.TryTimeout.TotalSeconds:0.###} s a try"
        );
}

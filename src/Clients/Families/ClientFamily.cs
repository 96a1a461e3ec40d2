using System.Globalization;

namespace EventHubThroughput.Clients;

/// <summary>The clients for all services, chosen by name on the command line.</summary>
/// <param name="Name">The value of <c>--clients</c>.</param>
/// <param name="Connect">Creates the clients. Nothing is connected yet.</param>
public sealed record ClientFamily(string Name, Func<MessagingSettings, ClientOptions, IMessagingClients> Connect)
{
    /// <summary>The name of the family over the official packages.</summary>
    public const string Official = "official";

    /// <summary>The checkpoint store of this family's processors. <see cref="CheckpointStores.Own"/> unless a package brings another.</summary>
    public string CheckpointStore { get; init; } = CheckpointStores.Own;

    /// <summary>Whether Entra ID can be used for a service without a key.</summary>
    public bool TakesEntraId { get; init; }

    /// <summary>The packages that implement the protocols, each as <c>name version</c>. Empty for the built-in family.</summary>
    public IReadOnlyList<string> Packages { get; init; } = [];

    /// <summary>The family that implements the protocols itself.</summary>
    public static ClientFamily BuiltIn { get; } = new("builtin", static (settings, options) => new BuiltInClients(settings, new BuiltInClientOptions(options)));

    /// <summary>
    /// One line with the packages, their versions and their retry settings, which may differ from their defaults. Null for the built-in family.
    /// </summary>
    public string? Describe(ClientOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        return Packages.Count == 0
            ? null
            : $"{string.Join(", ", Packages)}. Retries: {GetText(options.Retry)}. Of writes: {GetText(options.Writes ?? options.Retry)}";
    }

    /// <summary>What a program prints about these clients before it connects, line by line. Nothing for the built-in family.</summary>
    /// <param name="options">The options of the clients.</param>
    /// <param name="frames">Whether the program was asked to show AMQP frames, which only the built-in family can do.</param>
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

    /// <summary>Why this family cannot use these settings: one line for each conflicting variable, none when it can.</summary>
    public IEnumerable<string> ProblemsOf(MessagingSettings settings)
    {
        ArgumentNullException.ThrowIfNull(settings);
        return TakesEntraId ? [] : settings.ByEntraId.Select(static variable => $"{variable}: Entra ID needs --clients={Official}");
    }

    private static string GetText(RetryOptions retry)
    {
        var each = string.Create(CultureInfo.InvariantCulture, $"{retry.TryTimeout.TotalSeconds:0.###} s a try");
        return retry.MaximumRetries == 0
            ? $"none, {each}"
            : string.Create(
                CultureInfo.InvariantCulture,
                $"{retry.MaximumRetries}, {retry.FirstDelay.TotalSeconds:0.###} to {retry.MaximumDelay.TotalSeconds:0.###} s apart, {each}"
            );
    }
}

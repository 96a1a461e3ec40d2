using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Hosting.Configuration;
using EventHubThroughput.Processing;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Options;

namespace EventHubThroughput.Hosting;

/// <summary>Sets the options from their configuration section, key by key: a key that cannot be read does not affect the others.</summary>
/// <param name="name">The name of the processing.</param>
/// <param name="section">The section. Null for none.</param>
internal sealed class SectionBinding(string name, IConfigurationSection? section) : IConfigureNamedOptions<EventHubHostingOptions>
{
    private static readonly Dictionary<string, string> Allowed = new(StringComparer.OrdinalIgnoreCase)
    {
        [nameof(EventHubHostingOptions.Transport)] = EnumNames.Of<MessagingTransport>(),
        [nameof(EventHubHostingOptions.OnPoison)] = EnumNames.Of<PoisonPolicy>(),
        [nameof(EventHubHostingOptions.Balancing)] = EnumNames.Of<Balancing>(),
        [nameof(EventHubHostingOptions.StartingPosition)] = EnumNames.Of<StartingPosition>(),
        [nameof(EventHubHostingOptions.Fencing)] = Switch,
        [nameof(EventHubHostingOptions.AcceptGaps)] = Switch,
        [nameof(EventHubHostingOptions.OperationLimit)] = Time,
        [nameof(EventHubHostingOptions.DrainLimit)] = Time,
        [nameof(EventHubHostingOptions.DeliveryLimit)] = Time,
        [nameof(EventHubHostingOptions.BalancingInterval)] = Time,
        [nameof(EventHubHostingOptions.OwnershipExpiry)] = Time,
        [$"{nameof(EventHubHostingOptions.Checkpoints)}:{nameof(CheckpointHostingOptions.Interval)}"] = Time,
    };

    private const string Switch = "true or false";
    private const string Time = "a time such as 00:00:30";
    private const string Number = "a whole number";

    public void Configure(EventHubHostingOptions options) => Configure(Options.DefaultName, options);

    public void Configure(string? optionsName, EventHubHostingOptions options)
    {
        if (section is null || optionsName != name)
        {
            return;
        }

        foreach (var (path, value) in section.AsEnumerable().OrderBy(static pair => pair.Key, StringComparer.OrdinalIgnoreCase))
        {
            // A blank value counts as not set, so an environment variable can undo a value of a file.
            if (!string.IsNullOrWhiteSpace(value) && path.Length > section.Path.Length)
            {
                Bind(options, path, value);
            }
        }
    }

    private void Bind(EventHubHostingOptions options, string path, string value)
    {
        var alone = new ConfigurationBuilder().AddInMemoryCollection([new(path, value)]).Build().GetSection(section!.Path);
        try
        {
            alone.Bind(options, static binder => binder.ErrorOnUnknownConfiguration = true);
        }
        catch (InvalidOperationException failure)
        {
            // A value that cannot be converted has a cause. An unknown key has none.
            options.Unread.Add(
                failure.InnerException is null
                    ? $"{path}: unknown key"
                    : $"{path} '{SecretText.Mask(value)}': allowed {Allowed.GetValueOrDefault(path[(section.Path.Length + 1)..], Number)}"
            );
        }
    }
}

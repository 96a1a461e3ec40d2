using Microsoft.Extensions.Options;

namespace EventHubThroughput.Processing.Hosting;

/// <summary>Finds everything that is wrong when the host starts, before anything is connected; no message holds a secret.</summary>
internal sealed class HostedProblems(HostedSettings settings, HostedSinks sinks) : IValidateOptions<EventHubHostingOptions>
{
    public ValidateOptionsResult Validate(string? name, EventHubHostingOptions options)
    {
        List<string> problems = [.. options.Processing.Problems()];
        if (sinks.Count is 0 or > HostedSinks.Most)
        {
            problems.Add($"Sinks {sinks.Count}: allowed 1 to {HostedSinks.Most}, each from a call of Handle or WriteTo");
        }

        var found = settings.Read(options);
        if (found.Settings is { } known)
        {
            problems.AddRange(options.Clients.ProblemsOf(known));
        }
        else if (found.IsNone)
        {
            problems.Add("EVENTHUB_CONNECTION_STRING: not set, nor is any other connection setting");
        }
        else
        {
            problems.AddRange(found.Problems);
        }

        return problems.Count == 0 ? ValidateOptionsResult.Success : ValidateOptionsResult.Fail(problems);
    }
}

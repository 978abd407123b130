<?xml version="1.0" encoding="UTF-8"?>
<!-- Demographics to the fields of the record's demographics. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
                xmlns:d="{vocab_base}/xml/documents#" exclude-result-prefixes="d">
  <xsl:output method="xml" encoding="UTF-8"/>

  <xsl:template match="/d:Demographics">
    <Models>
      <Model name="Demographics">
        <!-- Only the date, because a zone may follow it. -->
        <Field name="bday"><xsl:value-of select="substring(normalize-space(d:dateOfBirth), 1, 10)"/></Field>
        <Field name="gender"><xsl:value-of select="normalize-space(d:gender)"/></Field>
        <Field name="email"><xsl:value-of select="normalize-space(d:email)"/></Field>
        <Field name="ethnicity"><xsl:value-of select="normalize-space(d:ethnicity)"/></Field>
        <Field name="preferred_language"><xsl:value-of select="normalize-space(d:preferredLanguage)"/></Field>
        <Field name="race"><xsl:value-of select="normalize-space(d:race)"/></Field>
        <xsl:apply-templates select="d:Name"/>
        <xsl:apply-templates select="d:Telephone"/>
        <xsl:apply-templates select="d:Address"/>
        <Field name="blood_group"><xsl:value-of select="normalize-space(d:bloodGroup)"/></Field>
        <Field name="emergency_contacts">
          <xsl:for-each select="d:emergencyContact[normalize-space(.) != '']">
            <xsl:if test="position() &gt; 1"><xsl:text>&#10;</xsl:text></xsl:if>
            <xsl:value-of select="normalize-space(.)"/>
          </xsl:for-each>
        </Field>
        <Field name="insurance"><xsl:value-of select="normalize-space(d:insurance)"/></Field>
      </Model>
    </Models>
  </xsl:template>

  <xsl:template match="d:Name">
    <Field name="name_given"><xsl:value-of select="normalize-space(d:givenName)"/></Field>
    <Field name="name_middle"><xsl:value-of select="normalize-space(d:middleName)"/></Field>
    <Field name="name_family"><xsl:value-of select="normalize-space(d:familyName)"/></Field>
    <Field name="name_prefix"><xsl:value-of select="normalize-space(d:prefix)"/></Field>
    <Field name="name_suffix"><xsl:value-of select="normalize-space(d:suffix)"/></Field>
  </xsl:template>

  <!-- The schema allows two telephones. A telephone is preferred only if it says so. -->
  <xsl:template match="d:Telephone">
    <xsl:variable name="field" select="concat('tel_', position())"/>
    <xsl:variable name="preferred" select="normalize-space(d:preferred)"/>
    <Field name="{$field}_type"><xsl:value-of select="normalize-space(d:type)"/></Field>
    <Field name="{$field}_number"><xsl:value-of select="normalize-space(d:number)"/></Field>
    <Field name="{$field}_preferred_p"><xsl:value-of select="$preferred = 'true' or $preferred = '1'"/></Field>
  </xsl:template>

  <xsl:template match="d:Address">
    <Field name="adr_street"><xsl:value-of select="normalize-space(d:street)"/></Field>
    <Field name="adr_city"><xsl:value-of select="normalize-space(d:city)"/></Field>
    <Field name="adr_region"><xsl:value-of select="normalize-space(d:region)"/></Field>
    <Field name="adr_postalcode"><xsl:value-of select="normalize-space(d:postalCode)"/></Field>
    <Field name="adr_country"><xsl:value-of select="normalize-space(d:country)"/></Field>
  </xsl:template>
</xsl:stylesheet>
